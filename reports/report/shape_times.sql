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
SELECT kernel, mode, lens, time, kernel IN unrecorded AS time_unrecorded, p05, p95,
    2e-12 * m * n * k / time AS tflops, light_seconds / time AS of_light, ratio, ci_low AS ratio_low,
    ci_high AS ratio_high, ?3 IN unrecorded OR (kernel = 'previous' AND kernel IN unrecorded) AS ratio_unrecorded,
    coalesce(verdict, '') AS verdict,
    iif(left_out > 0, printf('%.0f of %.0f visits left out: disturbed', left_out, timed_visits), NULL) AS left_out,
    samples, marked, host_seconds
FROM arms ORDER BY row
