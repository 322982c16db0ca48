-- What the first line of run ?1 that leads lacks, and how much of it was disturbed.
WITH own AS (SELECT * FROM lines WHERE run = ?1 AND leads ORDER BY rowid LIMIT 1),
series AS (SELECT max(lines.shapes) AS most FROM lines JOIN own USING (run, candidate, mode)),
visits AS (
    SELECT sum(ratios.left_out) AS left_out, sum(timed_visits) AS visits, avg(disturbed) AS disturbed
    FROM ratios JOIN own USING (run, candidate, mode, lens, baseline) WHERE disturbed IS NOT NULL)
SELECT 'no number' AS kind, printf('%d of %d shapes by `%s`: the kernel is [unrecorded](#recordings), or every call '
    || '[waits for the device](#times)', most - shapes, most, plain(lens)) AS text
FROM own, series WHERE most > shapes
UNION ALL
SELECT 'disturbed', printf('%d of %d visits by `%s` left out; %.1f %% of the blocks of the others were disturbed',
    visits.left_out, visits, plain(lens), 100 * disturbed)
FROM own, visits WHERE disturbed > 0 OR visits.left_out > 0
