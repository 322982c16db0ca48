-- Why shard ?2 is not merged with shard ?1, the first fault, with the exit status of trouble. Commits, where both know them, tell of
-- what the kernels' files include; the plan has the files.
WITH both AS (SELECT a.*, b.folder AS folder_b, b.element AS element_b, b.hash AS hash_b, b.manifest AS manifest_b
    FROM runs AS a, runs AS b WHERE a.run = ?1 AND b.run = ?2),
faults AS (
    SELECT 1 AS place, printf('%s and %s are not mixed: their operands are of %s and %s', folder, folder_b, element, element_b) AS text
    FROM both WHERE element <> element_b
    UNION ALL
    SELECT 2, printf('%s and %s are of different plans (%s, %s): only shards of one run are merged, with the same options and seed; '
        || '--again of a report is for whole ones', folder, folder_b, hash, hash_b)
    FROM both WHERE hash <> hash_b
    UNION ALL
    SELECT 3, printf('%s and %s have measured other kernels: %s is %.70s and %.70s', folder, folder_b, name, here, there)
    FROM (SELECT *, manifest ->> name AS here, manifest_b ->> name AS there
        FROM both, (SELECT 'kernels_commit' AS name UNION ALL SELECT 'previous_commit'))
    WHERE here <> '' AND there <> '' AND here <> there)
SELECT text, 2 AS status FROM faults ORDER BY place LIMIT 1
