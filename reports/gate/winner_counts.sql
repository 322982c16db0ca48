-- On how many shapes a kernel wins, or is shown to be slower than the library; on how many the runs have no library in
-- common; how many kernels on shapes cannot win, since no device work bounds their times.
SELECT count(library) AS shapes, coalesce(sum(verdict = 'faster'), 0) AS won,
    coalesce(sum(verdict = 'slower'), 0) AS slower, count(*) - count(library) AS lone, max(mode) AS mode, max(lens) AS lens,
    (SELECT count(*) FROM (SELECT DISTINCT run, m, n, k, candidate FROM pairs
                           WHERE unrecorded AND baseline <> 'previous' AND baseline NOT LIKE '%-max')) AS unrecorded
FROM winners
