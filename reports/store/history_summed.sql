-- The rows that summary lines of a history sum up: of each series with two runs or more its newest point over its first, once
-- in all and once in its size class. Faster or slower is one whose last level lies above or below its first; else no change was
-- shown.
CREATE TEMP VIEW summed AS
WITH levelled AS (SELECT series, at, before, after FROM series JOIN levels ON levels.rowid = at WHERE before IS NOT NULL),
began AS (SELECT series, min(at), before FROM levelled GROUP BY series),
became AS (SELECT series, max(at), after FROM levelled GROUP BY series),
newest AS (
    SELECT *, CASE WHEN after > before THEN 'faster' WHEN after < before THEN 'slower' ELSE 'undecided' END AS verdict
    FROM series LEFT JOIN began USING (series) LEFT JOIN became USING (series) WHERE newest AND place > 1),
classes AS (
    SELECT series, 'all' AS class, 0 AS class_place FROM newest
    UNION ALL SELECT series, size_class(m, n, k), floor(log2(m * n * k) / 4) FROM newest)
SELECT "key" AS run, m, n, k, candidate, lens, mode, baseline, class, class_place, candidate AS kernel, baseline AS link,
    ratio / first_ratio AS ratio, ratio / first_ratio - 1 AS speedup, seconds, verdict, left_out, unrecorded, NULL AS known
FROM newest JOIN classes USING (series)
