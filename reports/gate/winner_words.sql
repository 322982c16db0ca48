-- On how many shapes a kernel wins, and what else is to be said of them.
WITH counts AS (
    SELECT count(library) AS shapes, sum(verdict = 'faster') AS won, sum(verdict = 'slower') AS slower,
        count(*) - count(library) AS lone, max(mode) AS mode, max(lens) AS lens,
        (SELECT count(*) FROM (SELECT DISTINCT run, m, n, k, candidate FROM pairs
                               WHERE unrecorded AND baseline <> 'previous' AND baseline NOT LIKE '%-max')) AS unrecorded
    FROM winners)
SELECT iif(won, 'good', 'note') AS kind,
    printf('**On %d of %d shapes a kernel wins**: it is shown to be faster than the strongest library.', won, shapes)
    || iif(won < shapes, printf(' On the others the library stands: on %d the fastest kernel is shown to be slower, on %d it is '
        || 'not shown to be faster.', slower, shapes - won - slower), '') AS text
FROM counts
UNION ALL
SELECT 'paragraph', iif(unrecorded, printf('Left out: %d unrecorded kernel%s, a kernel on a shape being one. No device work '
    || 'bounds what they take.', unrecorded, iif(unrecorded = 1, '', 's')), '')
FROM counts
UNION ALL
SELECT 'paragraph', printf('Mode `%s`, lens `%s`. The ratio is the time of the strongest library / the time of the fastest '
    || 'kernel; the 95 %% intervals of a shape''s kernels hold together. Which library is the strongest is told by the same '
    || 'visits: of libraries that are equally fast the one that was lucky stands here, a little too fast.', plain(mode), plain(lens))
FROM counts
UNION ALL
SELECT 'paragraph', iif(lone, printf('On %d shapes the runs have no library in common: these are left out.', lone), '')
FROM counts
