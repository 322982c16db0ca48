-- Words that queries look up. C fills outcomes, lenses and modes, whose words it has, too (reports/query/query.h).
CREATE TABLE outcomes (outcome TEXT PRIMARY KEY, severity INTEGER, deed TEXT, fate TEXT);
CREATE TABLE lenses (lens TEXT PRIMARY KEY, position INTEGER);
CREATE TABLE modes (mode TEXT PRIMARY KEY, position INTEGER);

-- All baselines that a run can have, in the order of every report. The last that a run has leads its summary, so those of
-- few shapes stand first.
CREATE TABLE baselines (baseline TEXT PRIMARY KEY, position INTEGER);
INSERT INTO baselines VALUES ('previous', 0), ('cublas-gemv-nn', 1), ('cublas-gemv-tn', 2), ('cublas-gemv-max', 3),
    ('torch-matmul', 4), ('cublas-nn', 5), ('cublas-tn', 6), ('cublas-max', 7), ('cublaslt-heuristic-nn', 8),
    ('cublaslt-heuristic-tn', 9), ('cublaslt-heuristic-max', 10), ('cublaslt-autotune-nn', 11), ('cublaslt-autotune-tn', 12),
    ('cublaslt-autotune-max', 13), ('openblas-nn', 14), ('openblas-tn', 15), ('openblas-max', 16);

-- Libraries through which two runs are compared before any other, best first.
CREATE TABLE links (baseline TEXT PRIMARY KEY, position INTEGER);
INSERT INTO links VALUES ('cublas-max', 0), ('torch-matmul', 1), ('openblas-max', 2);
