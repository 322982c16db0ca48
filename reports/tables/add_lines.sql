-- Adds to `lines` what sums up the rows `summed` of run ?1, in order. A number that has no value is NULL.
--
-- The reference library of a candidate and lens is an autotuned one, else the last in the order of `baselines`; the
-- earlier release is none. One line leads of each candidate and mode: against the reference, by `device` where there is such a
-- line, else by the first lens. `better` is the paper's mean where a user keeps the library wherever the candidate is slower.
INSERT INTO lines
WITH refusals AS (SELECT candidate, count(*) AS refused FROM fates WHERE run = ?1 AND tested AND fate = 'refused' GROUP BY candidate),
sums AS (
    SELECT candidate, lens, mode, baseline, class, max(class_place) AS class_place, count(speedup) AS shapes, avg(speedup) AS mean,
        median(speedup) AS median, sd(speedup) AS sd, coalesce(sum(speedup > 0), 0) AS wins, geomean(ratio) AS geomean,
        suite(m, n, k, kernel, link, mode, lens) AS suite, exp(median(ln(ratio))) AS middle,
        geomean(iif(ratio IS NULL, NULL, 2e-12 * m * n * k / seconds)) AS tflops, avg(max(speedup, 0)) AS better,
        sum(verdict = 'faster') AS faster, sum(verdict = 'same') AS same, sum(verdict = 'slower') AS slower,
        sum(verdict = 'undecided' AND speedup IS NOT NULL) AS undecided, sum(verdict = 'environment') AS environment,
        sum(verdict = 'maybe-faster') AS maybe, sum(verdict = 'known') AS known, sum(verdict = 'behind') AS behind,
        sum(unrecorded) AS unrecorded, sum(left_out > 0) AS left_out
    FROM summed WHERE run = ?1 GROUP BY candidate, lens, mode, baseline, class),
placed AS (
    SELECT sums.*, coalesce(lenses.position, 99) AS by_lens, coalesce(modes.position, 99) AS by_mode,
        coalesce(baselines.position, 999) AS by_baseline,
        first_value(iif(shapes > 0 AND baseline <> 'previous', baseline, NULL)) OVER (
            PARTITION BY candidate, lens ORDER BY shapes = 0 OR baseline = 'previous', baseline <> 'cublaslt-autotune-max',
            coalesce(baselines.position, 999) DESC, baseline DESC) AS library
    FROM sums LEFT JOIN lenses USING (lens) LEFT JOIN modes USING (mode) LEFT JOIN baselines USING (baseline)),
led AS (
    SELECT *, baseline IS library AS reference, row_number() OVER (
        PARTITION BY candidate, mode ORDER BY baseline IS NOT library OR mean IS NULL, class_place, lens <> 'device', by_lens, lens) AS place
    FROM placed)
SELECT ?1, candidate, lens, mode, baseline, class, shapes, mean, median, sd, wins, geomean, suite ->> 0, suite ->> 1,
    suite ->> 2, suite ->> 3, pow(geomean, 1.0 * shapes / (shapes + coalesce(refused, 0))), middle, tflops, better, faster,
    same, slower, undecided, environment, maybe, known, behind, faster + same + slower + undecided + environment,
    coalesce(refused, 0), unrecorded, left_out, reference, place = 1 AND reference AND mean IS NOT NULL
FROM led LEFT JOIN refusals USING (candidate)
ORDER BY candidate, by_lens, lens, by_mode, mode, by_baseline, baseline, class_place
