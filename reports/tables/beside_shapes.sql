-- The same, shape by shape.
WITH sides AS (
    SELECT run, m, n, k, shape, kernel, mode, lens, cache, max(candidate = kernel) AS tested,
        avg(coalesce(median, mean)) AS seconds
    FROM times GROUP BY run, m, n, k, kernel, mode, lens)
SELECT here.shape AS "shape||", here.kernel AS "here||", there.kernel AS "there||", here.mode AS "mode||text same",
    here.lens AS "lens||", there.seconds AS "time there|seconds_there|seconds", here.seconds AS "time here|seconds_here|seconds",
    there.seconds / here.seconds AS "there / here|ratio|number 3",
    there.cache AS "cache there|cache_there|text", here.cache AS "cache here|cache_here|text"
FROM sides AS here JOIN sides AS there USING (m, n, k, mode, lens) LEFT JOIN modes USING (mode) LEFT JOIN lenses USING (lens)
WHERE here.run = ?1 AND there.run = ?2 AND (here.tested OR here.kernel = there.kernel)
ORDER BY m, n, k, NOT here.tested, here.kernel, there.kernel, modes.position, lenses.position
