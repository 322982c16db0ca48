-- The outcomes that refuse a kernel of run ?1, by severity, and of how many candidates and baselines.
SELECT outcome, deed, sum(tested) AS candidates, sum(NOT tested) AS baselines
FROM fates WHERE run = ?1 AND fate = 'refused' GROUP BY outcome ORDER BY severity
