-- Honest kernels by size and lens, over cublaslt-autotune-max. Both runs must be in the database:
--     gemmgate report RUN --published THEIRS --sqlite run.db && sqlite3 -markdown run.db <by_size.sql
-- The interval is over shapes: 1.96 standard errors of ln ratio. `speedup` is the paper's mean, `published` that of the same
-- shapes in the release's own file.
WITH classes (number, size, least, most) AS (VALUES
        (1, 'below 2^26', 0, 26), (2, '2^26 to 2^31', 26, 31), (3, '2^31 to 2^36', 31, 36),
        (4, '2^36 and more', 36, 99), (5, 'all', 0, 99)),
    ours AS (SELECT r.*, ln(r.ratio) x, log2(1.0 * m * n * k) work FROM ratios r
             WHERE baseline = 'cublaslt-autotune-max' AND candidate NOT LIKE 'aa:%' AND samples > 0),
    theirs AS (SELECT * FROM ratios WHERE baseline = 'cublaslt-autotune-max' AND samples IS NULL),
    sums AS (SELECT number, size, ours.mode, ours.lens, count(*) shapes, avg(x) mean, avg(x * x) - avg(x) * avg(x) variance,
                    100 * avg(ours.speedup) speedup, 100 * avg(theirs.speedup) published
             FROM ours JOIN theirs USING (m, n, k, mode) JOIN classes ON work >= least AND work < most
             GROUP BY number, ours.mode, ours.lens)
SELECT mode, lens, size, shapes, printf('%.3f (%.3f to %.3f)', exp(mean), exp(mean - half), exp(mean + half)) ratio,
       printf('%+.1f', speedup) "speedup, %", printf('%+.1f', published) "published, %"
FROM (SELECT *, 1.96 * sqrt(variance / (shapes - 1)) half FROM sums) ORDER BY mode, lens, number;
