-- The rows of a gate or a comparison that summary lines sum up: by mode and lens all of them, and those of each size class. Their
-- ratios are of the screening, as are the intervals of lines: they are over the same visits of all rows.
CREATE TEMP VIEW summed AS
WITH classes AS (SELECT class, class_place, rowid AS row FROM gate_rows UNION ALL SELECT 'all', -1, rowid FROM gate_rows)
SELECT 'gate' AS run, now.m, now.n, now.k, '' AS candidate, now.lens, now.mode, '' AS baseline, classes.class, classes.class_place,
    now.candidate AS kernel, link, now.ratio / coalesce(old.ratio, 1) AS ratio, now.ratio / coalesce(old.ratio, 1) - 1 AS speedup,
    now.seconds, status AS verdict, now.left_out > 0 OR coalesce(old.left_out > 0, 0) AS left_out, gate_rows.unrecorded,
    now.error IS NOT NULL AND (old.ratio IS NULL OR old.error IS NOT NULL) AS known
FROM gate_rows JOIN classes ON classes.row = gate_rows.rowid
    JOIN pairs AS now USING (m, n, k, candidate, mode, lens)
    LEFT JOIN pairs AS old ON old.run = 'base' AND old.m = now.m AND old.n = now.n AND old.k = now.k AND old.candidate = now.candidate
        AND old.mode = now.mode AND old.lens = now.lens AND old.baseline = now.baseline
WHERE now.run = 'run' AND now.baseline = link
