-- The per-shape results of the CUDA-L2 release: a column a baseline, with its time over the candidate's. A field that was not
-- measured is empty. A column whose median is far from 1 has other numbers: one of per cent, or of quotients less 1, has
-- numbers above 0, too.
CREATE TEMP TABLE quotients AS
WITH names (name, baseline) AS (VALUES
    ('torch.matmul', 'torch-matmul'), ('cuBLAS-nn', 'cublas-nn'), ('cuBLAS-tn', 'cublas-tn'), ('cuBLAS-max', 'cublas-max'),
    ('cuBLASLt-heuristic-nn', 'cublaslt-heuristic-nn'), ('cuBLASLt-heuristic-tn', 'cublaslt-heuristic-tn'),
    ('cuBLASLt-heuristic-max', 'cublaslt-heuristic-max'), ('cuBLASLt-auto-tuning-nn', 'cublaslt-autotune-nn'),
    ('cuBLASLt-auto-tuning-tn', 'cublaslt-autotune-tn'), ('cuBLASLt-auto-tuning-max', 'cublaslt-autotune-max'))
SELECT numbers.*, m, n, k, baseline, number(text) AS quotient
FROM numbers JOIN names USING (name) JOIN file USING (line) WHERE text <> '' ORDER BY place, line;

CREATE TEMP TABLE faults AS
WITH wanted (wanted) AS (VALUES ('; wanted is the time of the library / the time of the kernel, 1.18 for 18 % more'))
SELECT 0 AS at, line AS rank, printf(':%d: the shape %s stands on line %d already; remove one', line, shape, before) AS text
FROM (SELECT line, shape, lag(line) OVER (PARTITION BY shape ORDER BY line) AS before FROM file) WHERE before
UNION ALL
SELECT 0, 0, ':1: a header and no shapes' WHERE NOT EXISTS (SELECT 1 FROM file)
UNION ALL
SELECT 1, line, printf(':%d: column %s: %s', line, name,
    coalesce(fault, printf('%g is no quotient of times, which is above 0', quotient) || wanted))
FROM quotients, wanted WHERE fault IS NOT NULL OR quotient <= 0
UNION ALL
SELECT 2, min(place), printf(': column %s: its median is %.3g, so these seem to be %s', name, median(quotient),
    iif(median(quotient) > 5, 'per cent', 'quotients less 1')) || wanted
FROM quotients, wanted GROUP BY name HAVING median(quotient) NOT BETWEEN 0.5 AND 5
UNION ALL
SELECT 3, 0, ': every quotient is empty' WHERE NOT EXISTS (SELECT 1 FROM quotients);

-- Nothing else is known of others' measurements.
INSERT INTO ratios (m, n, k, candidate, baseline, mode, lens, place, speedup, note)
SELECT m, n, k, 'cuda-l2', baseline, mode, lens, 'own', quotient - 1, 'published mean only' FROM quotients, asked;
