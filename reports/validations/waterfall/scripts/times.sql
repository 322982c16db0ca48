-- How long a call takes by size, in microseconds: geometric means over shapes of median times.
--     sqlite3 -markdown :memory: '.import --csv scripts.csv scripts' '.import --csv RUN/times.csv times' '.read times.sql'
-- The library first, then the kernel. The library is torch.matmul in its pair, and else autotuned cuBLASLt in the layout nn.
WITH classes (number, size, least, most) AS (VALUES
        (1, 'below 2^26', 0, 26), (2, '2^26 to 2^31', 26, 31), (3, '2^31 to 2^36', 31, 36), (4, '2^36 and more', 36, 99)),
    ours AS (SELECT *, m || 'x' || n || 'x' || k shape, 1e6 * median us FROM times WHERE mode = 'offline'),
    shapes AS (SELECT DISTINCT shape, number, size FROM ours JOIN classes
               ON log2(1.0 * m * n * k) >= least AND log2(1.0 * m * n * k) < most),
    loops (step, loop, library) AS (VALUES
        (1, 'pair-matmul', 'matmul'), (2, 'pair-nn', 'hgemm_cublaslt_auto_tuning_nn'), (3, 'four', 'hgemm_cublaslt_auto_tuning_nn')),
    calls (step, shape, us, library_us) AS (
        SELECT step, k.shape, 1e3 * k.median_ms, 1e3 * l.median_ms FROM loops JOIN scripts k USING (loop)
            JOIN scripts l USING (shape, loop) WHERE k.function = 'cuda_l2_h100_fp32' AND l.function = library
        UNION ALL SELECT iif(k.lens = 'wait', 4, 5), k.shape, k.us, l.us FROM ours k JOIN ours l USING (shape, lens)
            WHERE k.kernel = k.candidate AND l.kernel = 'cublaslt-autotune-nn' AND k.lens IN ('wait', 'device')),
    means AS (SELECT number, size, step, printf('%.1f / %.1f', exp(avg(ln(library_us))), exp(avg(ln(us)))) us, count(*) shapes
              FROM calls JOIN shapes USING (shape) GROUP BY number, step)
SELECT size "M·N·K", shapes, max(us) FILTER (WHERE step = 1) "torch.matmul, pair", max(us) FILTER (WHERE step = 2) "cuBLASLt, pair",
       max(us) FILTER (WHERE step = 3) "four", max(us) FILTER (WHERE step = 4) "`wait`", max(us) FILTER (WHERE step = 5) "`device`"
FROM means GROUP BY number;
