-- The title of the page of run ?1.
SELECT 'gemmgate report' || iif(set_name = '' AND imported = '', '', ': ') || iif(set_name = '', imported, set_name)
    || iif(element = 'f16', '', ', ' || element) AS title
FROM runs WHERE run = ?1
