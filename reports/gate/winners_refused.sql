-- Why no shape of the runs, of which ?1 is the first, has a winner in mode ?2 and by lens ?3 ("": none was asked for).
WITH counts AS (SELECT count(library) AS shapes, count(*) AS lone, (SELECT count(*) FROM runs) > 1 AS several FROM winners)
SELECT iif(lone, printf('%s and the others have timed no library in common on any shape', ?1),
        ?1 || iif(several, ' and the others', '') || ' holds no kernel that can win' || iif(?2 = '', '', ', in mode ' || ?2)
        || iif(?3 = '', '', ', by lens ' || ?3)
        || ': one that passed every check, was recorded and was timed beside a library') AS text, iif(lone, 4, 2) AS status
FROM counts WHERE shapes = 0
