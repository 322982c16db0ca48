-- What a call draws in run ?1: a row for each kernel and library on a shape. A library is in many units of a shape.
SELECT shape AS "shape||", kernel AS "kernel||", 1000 * avg(joules) AS "mJ a call|millijoules|significant",
    avg(joules_sd / joules) AS "sd %|sd|share", sum(joules_rows) AS "rows||count",
    2e-9 * m * n * k / avg(joules) AS "GFLOP/J|gflop_joule|significant"
FROM times WHERE run = ?1 AND joules IS NOT NULL
GROUP BY m, n, k, kernel, mode, lens ORDER BY m, n, k, avg(joules)
