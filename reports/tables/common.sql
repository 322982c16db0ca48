-- Makes the table `common`: what all `runs` have a ratio of to the reference library of the first of them.
CREATE TEMP TABLE common AS
SELECT m, n, k, candidate, lens, mode, baseline
FROM ratios JOIN (SELECT candidate, lens, mode, baseline FROM lines WHERE reference) USING (candidate, lens, mode, baseline)
WHERE ratio > 0 GROUP BY m, n, k, candidate, lens, mode, baseline HAVING count(DISTINCT run) = (SELECT count(*) FROM runs)
