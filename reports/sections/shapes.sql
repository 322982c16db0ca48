-- shapes.csv of run ?1: a line a shape, candidate, mode and lens, with the candidate's median time and the speedup over
-- the main baselines. A kernel that was not timed has one line, and so has a shape without a kernel.
WITH entries AS (
    SELECT m, n, k, candidate, mode, lens, place, coalesce(median, mean) AS seconds, NULL AS baseline, NULL AS speedup, NULL AS low,
        NULL AS high
    FROM times WHERE run = ?1 AND kernel = candidate
    UNION ALL
    SELECT m, n, k, candidate, mode, lens, place, NULL, baseline, speedup, ci_low, ci_high
    FROM ratios WHERE run = ?1 AND baseline IN ('torch-matmul', 'cublas-max', 'cublaslt-heuristic-max',
        'cublaslt-autotune-max', 'openblas-max')),
checked AS (SELECT m, n, k, candidate, outcome FROM checks WHERE run = ?1 AND kernel = candidate),
timed AS (
    SELECT m, n, k, candidate, mode, lens, max(place) AS place, max(seconds) AS seconds,
        max(speedup) FILTER (WHERE baseline = 'torch-matmul') AS "torch-matmul_speedup",
        max(low) FILTER (WHERE baseline = 'torch-matmul') AS "torch-matmul_ratio_low",
        max(high) FILTER (WHERE baseline = 'torch-matmul') AS "torch-matmul_ratio_high",
        max(speedup) FILTER (WHERE baseline = 'cublas-max') AS "cublas-max_speedup",
        max(low) FILTER (WHERE baseline = 'cublas-max') AS "cublas-max_ratio_low",
        max(high) FILTER (WHERE baseline = 'cublas-max') AS "cublas-max_ratio_high",
        max(speedup) FILTER (WHERE baseline = 'cublaslt-heuristic-max') AS "cublaslt-heuristic-max_speedup",
        max(low) FILTER (WHERE baseline = 'cublaslt-heuristic-max') AS "cublaslt-heuristic-max_ratio_low",
        max(high) FILTER (WHERE baseline = 'cublaslt-heuristic-max') AS "cublaslt-heuristic-max_ratio_high",
        max(speedup) FILTER (WHERE baseline = 'cublaslt-autotune-max') AS "cublaslt-autotune-max_speedup",
        max(low) FILTER (WHERE baseline = 'cublaslt-autotune-max') AS "cublaslt-autotune-max_ratio_low",
        max(high) FILTER (WHERE baseline = 'cublaslt-autotune-max') AS "cublaslt-autotune-max_ratio_high",
        max(speedup) FILTER (WHERE baseline = 'openblas-max') AS "openblas-max_speedup",
        max(low) FILTER (WHERE baseline = 'openblas-max') AS "openblas-max_ratio_low",
        max(high) FILTER (WHERE baseline = 'openblas-max') AS "openblas-max_ratio_high"
    FROM entries GROUP BY m, n, k, candidate, mode, lens)
SELECT m AS "m||count", n AS "n||count", k AS "k||count", candidate AS "candidate||", mode AS "mode||", lens AS "lens||",
    place AS "place||", digits(seconds, 5) AS "seconds||seconds",
    digits("torch-matmul_speedup", 5) AS "|torch-matmul_speedup,torch-matmul_ratio_low,torch-matmul_ratio_high|ratio absent",
    digits("torch-matmul_ratio_low", 5) AS "torch-matmul_ratio_low", digits("torch-matmul_ratio_high", 5) AS "torch-matmul_ratio_high",
    digits("cublas-max_speedup", 5) AS "|cublas-max_speedup,cublas-max_ratio_low,cublas-max_ratio_high|ratio absent",
    digits("cublas-max_ratio_low", 5) AS "cublas-max_ratio_low", digits("cublas-max_ratio_high", 5) AS "cublas-max_ratio_high",
    digits("cublaslt-heuristic-max_speedup", 5) AS "|cublaslt-heuristic-max_speedup,cublaslt-heuristic-max_ratio_low,cublaslt-heuristic-max_ratio_high|ratio absent",
    digits("cublaslt-heuristic-max_ratio_low", 5) AS "cublaslt-heuristic-max_ratio_low", digits("cublaslt-heuristic-max_ratio_high", 5) AS "cublaslt-heuristic-max_ratio_high",
    digits("cublaslt-autotune-max_speedup", 5) AS "|cublaslt-autotune-max_speedup,cublaslt-autotune-max_ratio_low,cublaslt-autotune-max_ratio_high|ratio absent",
    digits("cublaslt-autotune-max_ratio_low", 5) AS "cublaslt-autotune-max_ratio_low", digits("cublaslt-autotune-max_ratio_high", 5) AS "cublaslt-autotune-max_ratio_high",
    digits("openblas-max_speedup", 5) AS "|openblas-max_speedup,openblas-max_ratio_low,openblas-max_ratio_high|ratio absent",
    digits("openblas-max_ratio_low", 5) AS "openblas-max_ratio_low", digits("openblas-max_ratio_high", 5) AS "openblas-max_ratio_high",
    coalesce(outcome, '') AS "outcome||", coalesce(modes.position, 99) AS by_mode, coalesce(lenses.position, 99) AS by_lens
FROM timed LEFT JOIN checked USING (m, n, k, candidate) LEFT JOIN modes USING (mode) LEFT JOIN lenses USING (lens)
UNION ALL
SELECT m, n, k, candidate, '', '', '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, outcome, 0, 0
FROM checked WHERE NOT EXISTS (SELECT 1 FROM timed WHERE (timed.m, timed.n, timed.k, timed.candidate) = (checked.m, checked.n, checked.k, checked.candidate))
UNION ALL
SELECT m, n, k, '', '', '', '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'no-kernel', 0, 0
FROM unserved WHERE run = ?1
ORDER BY m, n, k, candidate, by_mode, mode, by_lens, lens
