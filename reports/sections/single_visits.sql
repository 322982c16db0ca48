-- How many ratios of run ?1 are of one visit.
SELECT 'note' AS kind, printf('**One visit**: %d of %d ratios have no interval, since one visit shows nothing of another '
    || 'process.%s', count(*) FILTER (WHERE visits = 1), count(*),
    (SELECT iif(complete, ' Measure with `--visits 4`.', '') FROM runs WHERE run = ?1)) AS text
FROM ratios WHERE run = ?1 HAVING count(*) FILTER (WHERE visits = 1) > 0
