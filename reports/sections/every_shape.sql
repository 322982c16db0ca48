-- Run ?1, every shape of candidate ?2 in mode ?3 against library ?4: the ratio by lens ?5 with its interval and verdict,
-- the ratios by the other lenses, and the candidate's time by lens ?5. The elements are ?6.
WITH series AS (
    SELECT *, coalesce(ratio, 1 + speedup) AS x FROM ratios
    WHERE run = ?1 AND candidate = ?2 AND mode = ?3 AND baseline = ?4),
own AS (SELECT * FROM times WHERE run = ?1 AND candidate = ?2 AND kernel = ?2 AND mode = ?3 AND lens = ?5),
checked AS (SELECT *, fate = 'unrecorded' AS unrecorded FROM fates WHERE run = ?1 AND candidate = ?2 AND kernel = ?2)
SELECT series.shape AS "shape||", max(iif(lens = ?5, x, NULL)) AS "ratio||ratio|not timed by this lens",
    'ratio, ' || ?5 AS ratio_heading, max(iif(lens = ?5, ci_low, NULL)) AS ratio_low,
    max(iif(lens = ?5, ci_high, NULL)) AS ratio_high, max(iif(lens = ?5, verdict, NULL)) AS "verdict||verdict",
    max(iif(lens = ?5, verdict, NULL)) AS ratio_verdict, unrecorded AS ratio_unrecorded,
    max(iif(lens = 'call' AND lens <> ?5, x, NULL)) AS "ratio, call|call|number 3 empty|not timed by this lens", max(iif(lens = 'call', verdict, NULL)) AS call_verdict,
    unrecorded AS call_unrecorded,
    max(iif(lens = 'device' AND lens <> ?5, x, NULL)) AS "ratio, device|device|number 3 empty|not timed by this lens",
    max(iif(lens = 'device', verdict, NULL)) AS device_verdict,
    max(iif(lens = 'stream' AND lens <> ?5, x, NULL)) AS "ratio, stream|stream|number 3 empty|not timed by this lens",
    max(iif(lens = 'stream', verdict, NULL)) AS stream_verdict,
    max(iif(lens = 'wait' AND lens <> ?5, x, NULL)) AS "ratio, wait|wait|number 3 empty|not timed by this lens", max(iif(lens = 'wait', verdict, NULL)) AS wait_verdict,
    unrecorded AS wait_unrecorded,
    own.seconds AS "time||seconds empty", unrecorded AS time_unrecorded, own.tflops AS "TFLOP/s|tflops|significant empty",
    1e12 * own.tflops / peaks.flops AS "% of peak|of_peak|share empty", '% of ' || ?6 || ' peak' AS of_peak_heading,
    iif(checked.padding_share > 0, checked.padding_share, NULL) AS "padding %|padding|share empty",
    group_concat(iif(left_out > 0, printf('%s: %.0f of %.0f visits left out: disturbed', series.lens, left_out,
        timed_visits), NULL), '; ') AS "left out|left_out|text empty",
    checked.seen AS "accumulator|seen|text same"
FROM series LEFT JOIN (SELECT m, n, k, coalesce(median, mean) AS seconds, tflops, device AS card FROM own) AS own USING (m, n, k)
    LEFT JOIN (SELECT m, n, k, unrecorded, padding_share, seen FROM checked) AS checked USING (m, n, k)
    LEFT JOIN peaks ON peaks.run = ?1 AND peaks.device = own.card
GROUP BY m, n, k ORDER BY m, n, k
