-- The newest point of each series.
SELECT shape, size_class(m, n, k) AS size_class, candidate AS kernel, mode, lens, baseline AS against, unrecorded, device, place AS runs, entry AS newest, ratio,
    ci_low AS ratio_low, ci_high AS ratio_high, unrecorded AS ratio_unrecorded, ratio / ratio_before - 1 AS since,
    iif(place > 1, ratio / first_ratio - 1, NULL) AS since_first
FROM series WHERE series.newest ORDER BY at
