-- The newest point of each series.
SELECT shape AS "shape||unbroken", size_class(m, n, k) AS "log2(M·N·K)|size_class|", candidate AS "kernel||", mode AS "mode||",
    lens AS "lens||", baseline AS "against||", unrecorded AS "unrecorded||count data", device AS "device||same pages",
    place AS "runs||count", entry AS "newest||unbroken", ratio AS "ratio||ratio 4", ci_low AS ratio_low, ci_high AS ratio_high,
    unrecorded AS ratio_unrecorded, ratio / ratio_before - 1 AS "since the run before %|since|speedup",
    iif(place > 1, ratio / first_ratio - 1, NULL) AS "since the first %|since_first|speedup"
FROM series WHERE series.newest ORDER BY at
