-- What the runs beside run ?1 rest on.
WITH sides AS (SELECT rowid AS place, * FROM runs WHERE run <> '(published)')
SELECT 'facts' AS kind, '' AS name, 'the runs' AS text
UNION ALL
SELECT 'fact', folder, printf('%s; %s; complete: %s; %d of %d kernels on shapes refused', plain(device), plain(software),
    plain(how_complete), refused, judged)
FROM (SELECT * FROM sides ORDER BY place)
UNION ALL
SELECT 'bad', '', printf('**Controls failed in %s**; do not rely on its numbers: %s.', plain(folder), plain(why))
FROM sides WHERE run <> ?1 AND controls = 'failed'
