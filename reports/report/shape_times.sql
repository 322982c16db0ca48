-- The times of all arms of candidate ?3 on shape ?2 of run ?1, beside the ratio of the candidate to each. The quotient
-- of two times is the ratio; the median is shown of what is not compared.
WITH compared AS (SELECT * FROM ratios WHERE run = ?1 AND shape = ?2 AND candidate = ?3),
own AS (SELECT mode, lens, max(seconds) AS seconds FROM compared GROUP BY mode, lens),
unrecorded AS (SELECT kernel FROM fates WHERE run = ?1 AND shape = ?2 AND candidate = ?3 AND fate = 'unrecorded'),
arms AS (
    SELECT times.*, times.rowid AS row, compared.ratio, ci_low, ci_high, verdict, left_out, timed_visits,
        coalesce(iif(kernel = ?3, own.seconds, baseline_seconds), times.median) AS time
    FROM times LEFT JOIN compared
        ON compared.baseline = times.kernel AND compared.mode = times.mode AND compared.lens = times.lens
    LEFT JOIN own ON own.mode = times.mode AND own.lens = times.lens
    WHERE times.run = ?1 AND times.shape = ?2 AND times.candidate = ?3)
SELECT kernel AS "kernel||", mode AS "mode||text same", lens AS "lens||text same", time AS "time||seconds",
    kernel IN unrecorded AS time_unrecorded, p05 AS "5 %|p05|seconds", p95 AS "95 %|p95|seconds",
    2e-12 * m * n * k / time AS "TFLOP/s|tflops|significant", light_seconds / time AS "% of light|of_light|share empty",
    ratio AS "its time / the candidate's|ratio|ratio|the candidate itself, or not compared",
    ci_low AS ratio_low, ci_high AS ratio_high, ?3 IN unrecorded OR (kernel = 'previous' AND kernel IN unrecorded) AS ratio_unrecorded,
    coalesce(verdict, '') AS "the candidate is|verdict|verdict faster",
    iif(left_out > 0, printf('%.0f of %.0f visits left out: disturbed', left_out, timed_visits), NULL) AS "left out|left_out|text empty",
    samples AS "samples||number", marked AS "marked %|marked|share empty",
    host_seconds AS "launch on the host|host_seconds|seconds empty"
FROM arms ORDER BY row
