-- The summary lines of run ?1: those of single layouts (?2 is 'single'), the others ('whole') or all (''). Where the
-- lenses of a library have numbers on different shapes, common_ratio is over the shapes that all of them have.
WITH uneven AS (
    SELECT candidate, mode, baseline, count(*) AS lenses FROM lines WHERE run = ?1
    GROUP BY candidate, mode, baseline HAVING min(shapes) < max(shapes)),
timed AS (
    SELECT candidate, mode, baseline, lens, ratio, lenses,
        count(*) OVER (PARTITION BY m, n, k, candidate, mode, baseline) AS has
    FROM ratios JOIN uneven USING (candidate, mode, baseline) WHERE run = ?1 AND ratio > 0),
common AS (
    SELECT candidate, mode, baseline, lens, geomean(ratio) AS ratio, count(*) AS shapes
    FROM timed WHERE has = lenses GROUP BY candidate, mode, baseline, lens)
SELECT candidate, mode, lens, baseline, lines.shapes, geomean AS geomean_ratio, low AS geomean_ratio_low,
    high AS geomean_ratio_high, shapes_low AS over_shapes_low, shapes_high AS over_shapes_high,
    middle AS median_ratio, iif(judged, faster, NULL) AS faster, iif(judged, slower, NULL) AS slower,
    iif(judged, same, NULL) AS same, iif(judged, undecided, NULL) AS undecided,
    iif(judged, environment, NULL) AS environment, mean, median, sd, wins, unrecorded,
    better AS better_of_both, refused, left_out, leads,
    iif(common.shapes < lines.shapes, common.ratio, NULL) AS common_ratio
FROM lines LEFT JOIN common USING (candidate, mode, baseline, lens)
WHERE run = ?1 AND (?2 = '' OR (?2 = 'single') = (baseline LIKE '%-nn' OR baseline LIKE '%-tn'))
ORDER BY lines.rowid
