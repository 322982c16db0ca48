-- How often series of a size class have a new level, and how their newest points stand beside the first.
SELECT size_class(m, n, k) AS size_class, sum(newest) AS series, sum(after > before) AS faster, sum(after < before) AS slower,
    geomean(iif(newest, ratio / first_ratio, NULL)) AS over_first
FROM series JOIN levels ON levels.rowid = at GROUP BY size_class ORDER BY min(m * n * k)
