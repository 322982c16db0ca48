-- The kernel sets that are compared: kernels of several have the same names. ?1: the run of a comparison, which may have been timed
-- beside an earlier set of its own; "" where each run is called by its name.
WITH sets AS (
    SELECT rowid AS place, CASE WHEN ?1 = '' THEN run WHEN run = ?1 THEN 'new' ELSE 'old' END AS name, set_name AS "set",
        manifest ->> 'folder' AS kernels, manifest ->> 'kernels_commit' AS "commit", folder
    FROM runs
    UNION ALL
    SELECT 0, 'old', plan ->> '$.previous.set', manifest ->> 'previous_folder', manifest ->> 'previous_commit', folder
    FROM runs WHERE run = ?1 AND (SELECT count(*) FROM runs) = 1)
SELECT 'facts' AS kind, '' AS name, 'what was compared' AS text
UNION ALL
SELECT 'fact', name, '`' || plain(coalesce("set", '')) || '`' || iif(kernels <> '', ', ' || plain(kernels), '')
    || iif("commit" <> '', ', commit ' || plain(printf('%.12s', "commit")), '') || '; run ' || plain(folder)
FROM (SELECT * FROM sets ORDER BY place)
