-- The kernels under test of run ?1 that are refused for their deviation, or are over the bound that the paper states.
SELECT shape AS "shape||", kernel AS "kernel||", outcome AS "outcome||", deviation AS "deviation||significant",
    paper_bound AS "paper_bound||significant", deviation / paper_bound AS "times_paper_bound||number",
    bound AS "bound||significant", deviation / bound AS "times_bound||number", seen AS "seen||"
FROM fates
WHERE run = ?1 AND tested AND paper_bound > 0 AND (outcome = 'deviates' AND deviation IS NOT NULL OR deviation > paper_bound)
ORDER BY outcome = 'deviates' DESC, row
