-- When run ?1 was measured, and of which plan.
WITH own AS (SELECT * FROM runs WHERE run = ?1)
SELECT 'when' AS kind, iif(start = '', '', plain(start) || iif(finish = '', '', ' to ' || plain(finish))) AS text FROM own
UNION ALL SELECT 'complete', plain(how_complete) FROM own
UNION ALL SELECT 'plan', plain(hash) FROM own
UNION ALL SELECT 'note', plain(host_clock) FROM own
