-- Each ratio of a run beside that of every later one, by mode, lens and size. The ends of an interval are NULL where one
-- visit is all.
SELECT a.run AS former, b.run AS latter, mode, lens, m, n, k,
    a.ratio AS ratio, a.ci_low AS low, a.ci_high AS high, a.freedom AS freedom, a.verdict AS verdict,
    b.ratio AS again, b.ci_low AS again_low, b.ci_high AS again_high, b.freedom AS again_freedom,
    b.verdict AS again_verdict
FROM ratios AS a JOIN ratios AS b USING (m, n, k, candidate, baseline, mode, lens)
    LEFT JOIN modes USING (mode) LEFT JOIN lenses USING (lens)
WHERE a.run < b.run AND a.ratio > 0 AND b.ratio > 0
ORDER BY modes.position, mode, lenses.position, lens, m * n * k, m, n, k
