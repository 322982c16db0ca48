-- How many checks of run ?1 did not pass.
WITH counts AS (
    SELECT count(*) FILTER (WHERE fate IN ('passed', 'refused')) AS judged, count(*) FILTER (WHERE fate = 'refused') AS refused,
        count(*) FILTER (WHERE fate = 'unsupported' AND tested) AS unserved,
        count(*) FILTER (WHERE fate IN ('not built', 'without memory')) AS lacking
    FROM fates WHERE run = ?1)
SELECT 'paragraph' AS kind, iif(unserved, unserved || ' times a kernel was asked for a shape or accumulate it does not serve.', '') AS text
FROM counts
UNION ALL
SELECT 'paragraph', iif(lacking, lacking || ' times this machine lacked what a kernel needs. Nothing is known of it; `checks.csv` says what it lacked.', '')
FROM counts
UNION ALL
SELECT 'paragraph', iif(refused, refused || ' of ' || judged || ' checks of a kernel on a shape did not pass. All are in [refused.csv](refused.csv).',
    'None: all ' || judged || ' checks of a kernel on a shape passed.')
FROM counts
