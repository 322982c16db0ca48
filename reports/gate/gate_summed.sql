-- The rows of a gate or a comparison that summary lines sum up: by mode and lens all of them, and those of each size class.
CREATE TEMP VIEW summed AS
WITH classes AS (SELECT class, class_place, rowid AS row FROM gate_rows UNION ALL SELECT 'all', -1, rowid FROM gate_rows)
SELECT 'gate' AS run, m, n, k, '' AS candidate, lens, mode, '' AS baseline, classes.class, classes.class_place, kernel, link,
    ratio, ratio - 1 AS speedup, seconds, verdict, left_out, unrecorded, known
FROM gate_rows JOIN classes ON classes.row = gate_rows.rowid
