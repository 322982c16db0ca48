-- Each ratio of a run beside that of every later one, where both have an interval: twice, as one of all sizes, and as one of
-- its size class where there are several. By mode, lens, class and size. `at` counts the rows of a group, `number` its
-- shapes.
WITH matches AS (
    SELECT mode, lens, m, n, k, a.ratio AS ratio, a.ci_low AS low, a.ci_high AS high, a.freedom AS freedom,
        a.verdict AS verdict, b.ratio AS again, b.ci_low AS again_low, b.ci_high AS again_high,
        b.freedom AS again_freedom, b.verdict AS again_verdict
    FROM ratios AS a JOIN ratios AS b USING (m, n, k, candidate, baseline, mode, lens)
    WHERE a.run < b.run AND a.ratio > 0 AND b.ratio > 0
        AND a.ci_low * a.ci_high * b.ci_low * b.ci_high IS NOT NULL),
several AS (
    SELECT mode, lens FROM matches GROUP BY mode, lens HAVING count(DISTINCT size_class(m, n, k)) > 1),
both AS (
    SELECT *, 'all' AS sizes FROM matches
    UNION ALL SELECT *, size_class(m, n, k) FROM matches JOIN several USING (mode, lens))
SELECT both.*, row_number() OVER one AS at, dense_rank() OVER one AS number
FROM both LEFT JOIN modes USING (mode) LEFT JOIN lenses USING (lens)
WINDOW one AS (PARTITION BY mode, lens, sizes ORDER BY m * n * k, m, n, k)
ORDER BY modes.position, mode, lenses.position, lens, sizes <> 'all', m * n * k, m, n, k, at
