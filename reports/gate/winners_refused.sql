-- Why no shape of the runs, of which ?1 is the first, has a winner in mode ?2 and by lens ?3 ("": none was asked for). Two runs with
-- the same numbers are one: its kernels would count twice.
WITH counts AS (SELECT count(library) AS shapes, count(*) AS lone, (SELECT count(*) FROM runs) > 1 AS several FROM winners),
copies AS (
    SELECT a.run AS former, b.run AS latter
    FROM pairs AS a JOIN pairs AS b USING (m, n, k, candidate, baseline, mode, lens)
    WHERE a.run < b.run GROUP BY a.run, b.run HAVING min(a.ratio = b.ratio AND a.error IS b.error))
SELECT * FROM (
    SELECT printf('%s and %s are one run: measure again, into another folder', a.folder, b.folder) AS text, 4 AS status
    FROM copies JOIN runs AS a ON a.run = former JOIN runs AS b ON b.run = latter ORDER BY a.rowid, b.rowid LIMIT 1)
UNION ALL
SELECT iif(lone, printf('%s and the others have timed no library in common on any shape', ?1),
        ?1 || iif(several, ' and the others', '') || ' holds no kernel that can win' || iif(?2 = '', '', ', in mode ' || ?2)
        || iif(?3 = '', '', ', by lens ' || ?3)
        || ': one that passed every check, was recorded and was timed beside a library'), iif(lone, 4, 2)
FROM counts WHERE shapes = 0
