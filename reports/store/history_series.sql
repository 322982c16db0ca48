-- Makes the table `series` of the table `points`: the points against the one library that stands for each series, in order.
-- A library of `link` (the best first) is taken before the others, of which the last in the order of reports is. `at` is
-- a point's number, `place` its place in its series, `newer` how many points come after it there.
CREATE TEMP TABLE series AS
WITH chosen AS (
    SELECT points.*, baseline = first_value(baseline) OVER (
            PARTITION BY "key", m, n, k, candidate, mode, lens
            ORDER BY link IS NULL, link, coalesce(position, 1000) DESC, baseline DESC) AS stands
    FROM points LEFT JOIN baselines USING (baseline))
SELECT chosen.*, row_number() OVER (ORDER BY "key", m, n, k, candidate, mode, lens, number) AS at,
    dense_rank() OVER (ORDER BY "key", m, n, k, candidate, mode, lens) AS series,
    lag(entry) OVER one AS entry_before, lag(kernels) OVER one AS kernels_before, lag(ratio) OVER one AS ratio_before,
    first_value(ratio) OVER one AS first_ratio, row_number() OVER one AS place,
    lead(1) OVER one IS NULL AS newest
FROM chosen WHERE stands
WINDOW one AS (PARTITION BY "key", m, n, k, candidate, mode, lens ORDER BY number)
ORDER BY at
