-- How often series of a size class have a new level, and how their newest points stand beside the first.
SELECT size_class(m, n, k) AS "log2(M·N·K)|size_class|", sum(newest) AS "series||count",
    coalesce(sum(after > before), 0) AS "became faster|faster|count", coalesce(sum(after < before), 0) AS "became slower|slower|count",
    geomean(iif(newest, ratio / first_ratio, NULL)) AS "newest over first|over_first|number 4"
FROM series JOIN levels ON levels.rowid = at GROUP BY size_class(m, n, k) ORDER BY min(m * n * k)
