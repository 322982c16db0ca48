-- Makes the table `winners`: of each shape its fastest kernel beside the strongest of the libraries that all of its kernels
-- were timed beside. A shape without such a library has a row in which the library is NULL. A kernel that is shown to be
-- faster than the library goes before one that is not; then the larger ratio counts. The intervals of a shape's kernels
-- hold together (Bonferroni). A library X-max is one of two layouts that are here themselves. ?1 and ?2: the mode and the lens; "": the first that there is.
CREATE TEMP TABLE winners AS
WITH contenders AS (
    SELECT run, m, n, k, candidate AS kernel, baseline AS library, mode, lens, baseline_seconds AS seconds, ratio, error,
        freedom, left_out, timed_visits, disturbed, unrecorded,
        (SELECT margin FROM classes WHERE largest >= m * n * k ORDER BY largest LIMIT 1) AS margin
    FROM pairs WHERE baseline <> 'previous' AND baseline NOT LIKE '%-max'),
chosen AS (
    SELECT * FROM contenders
    WHERE NOT unrecorded
        AND mode = coalesce(nullif(?1, ''), (SELECT mode FROM contenders JOIN modes USING (mode) ORDER BY position LIMIT 1))
        AND lens = coalesce(nullif(?2, ''), (SELECT lens FROM contenders JOIN lenses USING (lens)
                                             ORDER BY lens <> 'device', position LIMIT 1))),
shapes AS (
    SELECT m, n, k, count(DISTINCT run || '/' || kernel) AS kernels FROM chosen GROUP BY m, n, k),
common AS (
    SELECT m, n, k, library, avg(seconds) AS library_seconds
    FROM chosen JOIN shapes USING (m, n, k) GROUP BY m, n, k, library HAVING count(*) = kernels),
strongest AS (
    SELECT m, n, k, library, min(library_seconds) AS library_seconds FROM common GROUP BY m, n, k),
sides AS (
    SELECT shapes.m, shapes.n, shapes.k, strongest.library, library_seconds, chosen.run, kernel, mode, lens, margin, ratio,
        ratio / reach(error, freedom, kernels) AS ratio_low, ratio * reach(error, freedom, kernels) AS ratio_high,
        disturbed, left_out, timed_visits
    FROM shapes LEFT JOIN strongest USING (m, n, k) LEFT JOIN chosen USING (m, n, k, library)),
judged AS (
    SELECT *, iif(disturbed, 'environment', verdict(ratio_low, ratio_high, margin)) AS verdict FROM sides),
placed AS (
    SELECT *, verdict = 'faster' AS wins,
        row_number() OVER (PARTITION BY m, n, k ORDER BY verdict = 'faster' DESC, ratio DESC, kernel) AS place
    FROM judged)
SELECT m, n, k, mode, lens, iif(wins, kernel, library) AS winner, iif(wins, 'kernel', 'library') AS kind,
    iif(wins, run, '') AS "set", library_seconds / iif(wins, ratio, 1) AS seconds, library, kernel, ratio, ratio_low,
    ratio_high, verdict,
    iif(left_out > 0, printf('%.0f of %.0f visits left out: disturbed', left_out, timed_visits), '') AS left_out,
    margin, library_seconds
FROM placed WHERE place = 1
