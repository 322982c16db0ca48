-- Figure 1 of run ?1, candidate ?2 and lens ?3: the ratio to each of the main libraries, or to all where fewer than two of
-- them are there. Published results have the paper's means alone.
WITH own AS (
    SELECT *, baseline IN ('torch-matmul', 'cublas-max', 'cublaslt-heuristic-max', 'cublaslt-autotune-max',
        'openblas-max') AS main, coalesce(geomean, 1 + mean) AS ratio
    FROM lines WHERE run = ?1 AND candidate = ?2 AND lens = ?3 AND shapes > 0)
SELECT mode, ratio, dense_rank() OVER (ORDER BY coalesce(baselines.position, 999), baseline) - 1 AS place,
    iif(geomean IS NULL, ratio, coalesce(low, ratio)) AS low, iif(geomean IS NULL, ratio, coalesce(high, ratio)) AS high,
    baseline
FROM own LEFT JOIN baselines USING (baseline) LEFT JOIN modes USING (mode)
WHERE ratio > 0 AND (main OR (SELECT count(DISTINCT baseline) FROM own WHERE main) < 2)
ORDER BY coalesce(modes.position, 99), mode, place
