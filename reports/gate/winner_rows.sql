-- The winner of each shape that has one.
SELECT m || 'x' || n || 'x' || k AS "shape||pages", m AS "m||count data", n AS "n||count data", k AS "k||count data",
    mode AS "mode||code data", lens AS "lens||code data", winner AS "winner||code", kind AS "kind||", "set" AS "set||empty",
    seconds AS "time|seconds|seconds", 2e-12 * m * n * k / seconds AS "TFLOP/s|tflops|significant",
    library AS "strongest library|library|code", kernel AS "fastest kernel|kernel|code", ratio AS "ratio||ratio",
    ratio_low, ratio_high, verdict AS "it is|verdict|", left_out AS "left out|left_out|empty",
    margin AS "margin||number data", library_seconds AS "library_seconds||number data"
FROM winners WHERE library IS NOT NULL ORDER BY m, n, k
