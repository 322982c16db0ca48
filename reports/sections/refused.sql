-- The refused kernels of run ?1, candidates first.
SELECT m AS "m||count data", n AS "n||count data", k AS "k||count data", shape AS "shape||pages",
    candidate AS "candidate||data", kernel AS "kernel||", outcome AS "outcome||",
    deviation AS "off by|deviation|significant empty pages", bound AS "bound here|bound|significant empty pages",
    paper_bound AS "paper's bound|paper_bound|significant empty pages", detail AS "finding|detail|"
FROM fates WHERE run = ?1 AND fate = 'refused' ORDER BY tested DESC, row
