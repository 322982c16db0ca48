-- The times of the kernels and libraries of run ?2 over those of the kernels of run ?1, by the same lens on the same
-- shapes: a row for each two, and for each library that both have.
WITH sides AS (
    SELECT run, m, n, k, kernel, mode, lens, max(candidate = kernel) AS tested, avg(coalesce(median, mean)) AS seconds
    FROM times GROUP BY run, m, n, k, kernel, mode, lens)
SELECT here.kernel AS "here||", there.kernel AS "there||", here.mode AS "mode||text same", here.lens AS "lens||",
    count(*) AS "shapes||count", geomean(there.seconds / here.seconds) AS "time there / here|ratio|number 3",
    count(iif(here.seconds < there.seconds, 1, NULL)) AS "faster here|faster|count"
FROM sides AS here JOIN sides AS there USING (m, n, k, mode, lens) LEFT JOIN modes USING (mode) LEFT JOIN lenses USING (lens)
WHERE here.run = ?1 AND there.run = ?2 AND (here.tested OR here.kernel = there.kernel)
GROUP BY here.kernel, there.kernel, here.mode, here.lens
ORDER BY NOT here.tested, here.kernel, there.kernel, modes.position, lenses.position
