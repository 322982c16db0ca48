-- The candidates of run ?1 that claims are judged of, and how many shapes the plan has.
SELECT DISTINCT candidate, json_array_length(plan, '$.shapes') AS shapes FROM lines JOIN runs USING (run)
WHERE run = ?1 ORDER BY candidate
