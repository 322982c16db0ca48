-- Times of Triton's do_bench as a CSV file: m, n, k, provider and ms, and where they differ dtype and layout. do_bench clears
-- the L2 before each call, and its events stand around one call of a queue that never runs empty: the lens device.
CREATE TEMP TABLE readings AS
SELECT line AS place, m, n, k, provider, coalesce(layout, '') AS layout, 'device' AS lens, 'cold' AS cache,
    1e-3 * number(ms) AS seconds, '' AS note, NULL AS left_out, 0 AS unverified, NULL AS gpu
FROM file;

CREATE TEMP TABLE faults AS
SELECT line AS at, rank, printf(':%d: column %s: %s', line, name, fault) AS text FROM (
    SELECT line, 1 AS rank, name, fault FROM elements WHERE name = 'dtype'
    UNION ALL
    SELECT line, 2, 'layout', iif(layout IN ('', 'nn', 'tn'), NULL,
        printf('''%.40s'': nn (B row-major) or tn (B column-major) is wanted; leave other rows out', layout))
    FROM file WHERE layout IS NOT NULL
    UNION ALL
    SELECT line, 3, name, fault FROM times_of WHERE name = 'ms'
    UNION ALL
    SELECT line, 4, 'provider', iif(provider = '', 'is empty; a name is wanted', NULL) FROM file)
WHERE fault IS NOT NULL;
