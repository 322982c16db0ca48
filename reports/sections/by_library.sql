-- The summary lines of run ?1 for a page, which begins with the two that a phone has room for: those of single layouts
-- (?2 is 'single') or the others ('whole'). Where the lenses of a library have numbers on different shapes,
-- common_ratio is over the shapes that all of them have.
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
SELECT baseline AS "baseline||unbroken empty", geomean AS "ratio (95 %)|geomean_ratio|ratio empty",
    low AS geomean_ratio_low, high AS geomean_ratio_high, candidate AS "candidate||text same", mode AS "mode||text same",
    lens AS "lens||text same", lines.shapes AS "shapes||count",
    iif(judged, faster, NULL) AS "faster||count empty|no verdicts were given",
    iif(judged, slower, NULL) AS "slower||count empty|no verdicts were given",
    iif(judged, same, NULL) AS "same||count empty|no verdicts were given",
    iif(judged, undecided, NULL) AS "undecided||count empty|no verdicts were given",
    iif(judged, environment, NULL) AS "environment||count zero|no verdicts were given",
    mean AS "paper's mean %|mean|speedup empty", unrecorded AS "unrecorded||count zero",
    better AS "better of both %|better_of_both|speedup empty",
    iif(common.shapes < lines.shapes, common.ratio, NULL) AS "shapes of all lenses|common_ratio|number 3 empty"
FROM lines LEFT JOIN common USING (candidate, mode, baseline, lens)
WHERE run = ?1 AND (?2 = 'single') = (baseline LIKE '%-nn' OR baseline LIKE '%-tn')
ORDER BY lines.rowid
