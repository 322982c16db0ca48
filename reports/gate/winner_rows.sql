-- The winner of each shape that has one.
SELECT *, m || 'x' || n || 'x' || k AS shape, 2e-12 * m * n * k / seconds AS tflops
FROM winners WHERE library IS NOT NULL ORDER BY m, n, k
