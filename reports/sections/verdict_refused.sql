-- How many kernels under test of run ?1 were refused, or are unrecorded, or could not be made here.
WITH own AS (SELECT * FROM fates WHERE run = ?1 AND tested),
counts AS (
    SELECT count(*) AS kernels, count(*) FILTER (WHERE fate IN ('passed', 'unrecorded', 'refused')) AS judged,
        count(*) FILTER (WHERE fate = 'refused') AS refused, count(*) FILTER (WHERE fate = 'unrecorded') AS unrecorded
    FROM own),
lacking AS (
    SELECT fate, count(*) AS count, shape || ' ' || kernel || ' ' || deed || iif(detail = '', '',
        ': ' || substr(detail, 1, instr(detail || char(10), char(10)) - 1)) AS first, min(row)
    FROM own WHERE fate IN ('not built', 'without memory') GROUP BY fate)
SELECT iif(refused, 'bad', 'note') AS kind, printf(iif(refused,
    '[%d of %d kernels on shapes](#refused) **were refused** and are in no number.',
    '**%d of %d kernels on shapes were refused.**'), refused, judged) AS text
FROM counts WHERE judged
UNION ALL
SELECT 'note', printf('[%d of %d kernels on shapes](#recordings) **are unrecorded**: they have a number by `call`, '
    || 'and none by `device` and `stream`.', unrecorded, judged)
FROM counts WHERE unrecorded
UNION ALL
SELECT 'bad', printf('**%d of %d kernels on shapes were left %s**: this machine lacks what they need. The first: %s.',
    count, kernels, fate, plain(first))
FROM lacking, counts
