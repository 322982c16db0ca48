-- The ratios that each of the ?1 runs has with an interval, run by run; by candidate, library, mode, lens and size. `at`
-- counts the rows of a group, which are of one size class.
SELECT candidate, baseline, mode, lens, size_class(m, n, k) AS sizes, m, n, k, run, ratio, ci_low, ci_high,
    variance / visits AS error, freedom,
    row_number() OVER (PARTITION BY candidate, baseline, mode, lens, size_class(m, n, k)
                       ORDER BY m * n * k, m, n, k, run) AS at
FROM (SELECT *, count(*) OVER (PARTITION BY m, n, k, candidate, baseline, mode, lens) AS runs
      FROM ratios WHERE variance IS NOT NULL) LEFT JOIN modes USING (mode) LEFT JOIN lenses USING (lens)
WHERE runs = CAST(?1 AS INTEGER)
ORDER BY candidate, baseline, modes.position, mode, lenses.position, lens, m * n * k, m, n, k, run
