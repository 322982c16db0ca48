-- The kernels of each shape beside the strongest of the libraries that all of them were timed beside. A shape without such
-- a library has one row, in which the library is NULL. `kernels` says how many kernels there are.
WITH shapes AS (
    SELECT m, n, k, count(DISTINCT run || '/' || candidate) AS kernels FROM contenders GROUP BY m, n, k),
common AS (
    SELECT m, n, k, kernels, library, avg(library_seconds) AS mean_seconds
    FROM contenders JOIN shapes USING (m, n, k) GROUP BY m, n, k, library HAVING count(*) = kernels),
strongest AS (
    SELECT m, n, k, library, min(mean_seconds) AS mean_seconds FROM common GROUP BY m, n, k)
SELECT shapes.m, n, k, kernels, strongest.library, mean_seconds, place, pair
FROM shapes LEFT JOIN strongest USING (m, n, k) LEFT JOIN contenders USING (m, n, k, library)
ORDER BY shapes.m, n, k, place, pair
