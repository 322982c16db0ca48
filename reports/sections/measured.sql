-- What run ?1 has measured.
WITH own AS (SELECT * FROM runs WHERE run = ?1)
SELECT 'facts' AS kind, 'what was run' AS text
UNION ALL SELECT 'source', plain(imported) FROM own
UNION ALL SELECT 'device', plain(device) FROM own
UNION ALL SELECT 'software', plain(software) FROM own
UNION ALL SELECT 'candidates', plain(set_name) FROM own
UNION ALL SELECT 'elements of A, B and C', plain(element) FROM own
UNION ALL SELECT 'accumulate', plain(accumulate) FROM own
UNION ALL SELECT 'inputs while timed', plain(inputs) FROM own
UNION ALL SELECT 'suite', plain(suite) FROM own
UNION ALL SELECT 'shapes', iif(shapes, printf('%d', shapes), '') FROM own
UNION ALL SELECT 'modes', plain(modes) FROM own
