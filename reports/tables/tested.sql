-- What became of the kernels under test of run ?1, each counted once a shape, and which shapes of its plan have none.
WITH kernels AS (SELECT * FROM fates WHERE run = ?1 AND tested),
told AS (
    SELECT min(row) AS first, severity, fate, printf('; %d %s, the first: %s %s %s', count(*), fate, shape, kernel, deed)
        || iif(detail = '', '', ': ' || substr(detail, 1, instr(detail || char(10), char(10)) - 1)) AS text
    FROM kernels WHERE fate <> 'passed' GROUP BY fate ORDER BY fate = 'unrecorded' DESC, severity)
SELECT count(*) AS kernels, count(*) FILTER (WHERE fate = 'passed') AS passed,
    count(*) FILTER (WHERE fate = 'unsupported') AS unsupported, count(*) FILTER (WHERE fate = 'refused') AS refused,
    count(*) FILTER (WHERE fate IN ('not built', 'without memory')) AS lacking,
    printf('%d of %d kernels on shapes passed', count(*) FILTER (WHERE fate = 'passed'), count(*))
        || coalesce((SELECT group_concat(text, '') FROM told), '') AS text,
    (SELECT text FROM unserved_words WHERE run = ?1) AS unserved
FROM kernels
