-- The refused kernels of run ?1, candidates first.
SELECT m, n, k, shape, candidate, kernel, outcome, deviation, bound, paper_bound, detail
FROM fates WHERE run = ?1 AND fate = 'refused' ORDER BY tested DESC, row
