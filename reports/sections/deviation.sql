-- The kernels under test of run ?1 that are refused for their deviation, or are over the bound that the paper states.
SELECT shape, kernel, outcome, deviation, paper_bound, deviation / paper_bound AS times_paper_bound, bound,
    deviation / bound AS times_bound, seen
FROM fates
WHERE run = ?1 AND tested AND paper_bound > 0 AND (outcome = 'deviates' AND deviation IS NOT NULL OR deviation > paper_bound)
ORDER BY outcome = 'deviates' DESC, row
