-- What the runs beside run ?1 rest on.
WITH tallies AS (
    SELECT run, count(*) FILTER (WHERE fate = 'refused') AS refused,
        count(*) FILTER (WHERE fate IN ('passed', 'unrecorded', 'refused')) AS judged
    FROM fates WHERE tested GROUP BY run),
sides AS (SELECT runs.rowid AS place, * FROM runs LEFT JOIN tallies USING (run) WHERE run <> '(published)')
SELECT 'facts' AS kind, '' AS name, 'the runs' AS text
UNION ALL
SELECT 'fact', folder, printf('%s; %s; complete: %s; %d of %d kernels on shapes refused', plain(device), plain(software),
    plain(how_complete), refused, judged)
FROM (SELECT * FROM sides ORDER BY place)
UNION ALL
SELECT 'bad', '', printf('**Controls failed in %s**; do not rely on its numbers: %s.', plain(folder), plain(why))
FROM sides WHERE run <> ?1 AND controls = 'failed'
