-- What the line of run ?1, candidate ?2, mode ?3, lens ?4 and library ?5 lacks, and how much of it was disturbed.
WITH series AS (SELECT max(shapes) AS most FROM lines WHERE run = ?1 AND candidate = ?2 AND mode = ?3),
own AS (SELECT * FROM lines WHERE run = ?1 AND candidate = ?2 AND mode = ?3 AND lens = ?4 AND baseline = ?5),
visits AS (
    SELECT sum(left_out) AS left_out, sum(timed_visits) AS visits, avg(disturbed) AS disturbed FROM ratios
    WHERE run = ?1 AND candidate = ?2 AND mode = ?3 AND lens = ?4 AND baseline = ?5 AND disturbed IS NOT NULL)
SELECT 'no number' AS kind, printf('%d of %d shapes by `%s`: the kernel is [unrecorded](#recordings), or every call '
    || '[waits for the device](#times)', most - shapes, most, plain(?4)) AS text
FROM own, series WHERE most > shapes
UNION ALL
SELECT 'disturbed', printf('%d of %d visits by `%s` left out; %.1f %% of the blocks of the others were disturbed',
    left_out, visits, plain(?4), 100 * disturbed)
FROM visits WHERE disturbed > 0 OR left_out > 0
