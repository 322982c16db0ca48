-- Runs that have all numbers of another: no two measurements give the same.
SELECT a.run AS former, b.run AS latter
FROM ratios AS a JOIN ratios AS b USING (m, n, k, candidate, baseline, mode, lens)
WHERE a.run < b.run AND a.ratio > 0
GROUP BY a.run, b.run HAVING min(a.ratio = b.ratio AND a.ci_low IS b.ci_low)
