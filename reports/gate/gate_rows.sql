-- Makes the table `made`, the rows of a gate or a comparison in the plan's order: of what is `asked`, `judged` and of the `units`,
-- and of earlier kernels that are gone. `reference` is what a row is compared through, "" where there is nothing to compare with.
CREATE TEMP TABLE made AS
WITH stored_by_call AS (
    SELECT DISTINCT m, n, k, candidate, mode
    FROM asked, pairs AS old JOIN pairs AS now USING (m, n, k, candidate, mode, lens, baseline)
    WHERE old.run = 'base' AND now.run = 'run' AND lens = 'call' AND old.unrecorded AND comparable
        AND iif(library <> '', baseline = library, baseline <> 'previous')),
-- An unrecorded kernel, which has no time by a lens of the device, is judged by call. A comparison has rows by call anyway.
timed AS (
    SELECT units.*, judged.rowid AS judged, mode, lens AS wanted,
        unrecorded OR (m, n, k, candidate, mode) IN (SELECT * FROM stored_by_call) AS by_call,
        iif(lens IN ('device', 'stream') AND (unrecorded OR (m, n, k, candidate, mode) IN (SELECT * FROM stored_by_call)),
            'call', lens) AS lens
    FROM units, judged WHERE becomes = 'timed'),
found AS (
    SELECT timed.number, judged, now.baseline AS reference, now.unrecorded OR coalesce(old.unrecorded, 0) AS pair_unrecorded,
        now.unrecorded AND NOT by_call AND NOT unrecorded_allowed AS unbounded,
        row_number() OVER (PARTITION BY timed.number, judged
                           ORDER BY links.position IS NULL, links.position, now.baseline) AS place
    FROM asked, timed
        JOIN pairs AS now ON now.run = 'run' AND now.m = timed.m AND now.n = timed.n AND now.k = timed.k
            AND now.candidate = timed.candidate AND now.mode = timed.mode AND now.lens = timed.lens
        LEFT JOIN pairs AS old ON old.run = 'base' AND old.m = now.m AND old.n = now.n AND old.k = now.k
            AND old.candidate = now.candidate AND old.mode = now.mode AND old.lens = now.lens
            AND old.baseline = now.baseline
        LEFT JOIN links ON links.baseline = now.baseline
    WHERE comparable
        AND CASE WHEN library <> '' THEN now.baseline = library
                 WHEN stored THEN now.baseline <> 'previous' ELSE now.baseline = 'previous' END
        AND (old.ratio IS NOT NULL OR (NOT stored AND earlier_failed IS NOT 1))),
noise AS (
    SELECT m, n, k, candidate, mode, lens, max(disturbed) AS disturbed FROM pairs
    WHERE run = 'run' GROUP BY m, n, k, candidate, mode, lens),
-- Of what the modes of a unit share each has its part.
shared AS (
    SELECT *, count(*) OVER (PARTITION BY run, m, n, k, candidate) AS modes FROM conditions WHERE run IN ('run', 'confirm')),
seconds AS (
    SELECT m, n, k, candidate, mode, total(start_seconds / modes) + total(warmup_seconds) + total(wall_seconds) AS visits_seconds,
        total((check_seconds + audit_seconds) / modes) AS checks_seconds
    FROM shared GROUP BY m, n, k, candidate, mode),
alone AS (
    SELECT timed.*, coalesce(reference, '') AS reference, pair_unrecorded, coalesce(unbounded, 0) AS unbounded, median,
        times.visits, disturbed, visits_seconds, checks_seconds,
        median IS NULL OR (earlier_failed IS 0 AND NOT stored) AS untimed, comparable
    FROM asked, timed
        LEFT JOIN found ON found.number = timed.number AND found.judged = timed.judged AND found.place = 1
        LEFT JOIN times ON times.run = 'run' AND times.m = timed.m AND times.n = timed.n AND times.k = timed.k
            AND times.candidate = timed.candidate AND times.kernel = timed.candidate AND times.mode = timed.mode
            AND times.lens = timed.lens
        LEFT JOIN noise ON noise.m = timed.m AND noise.n = timed.n AND noise.k = timed.k
            AND noise.candidate = timed.candidate AND noise.mode = timed.mode AND noise.lens = timed.lens
        LEFT JOIN seconds ON seconds.m = timed.m AND seconds.n = timed.n AND seconds.k = timed.k
            AND seconds.candidate = timed.candidate AND seconds.mode = timed.mode
    WHERE timed.lens = wanted OR NOT compares),
-- What the plan says that the earlier set had more: MxNxK.LABEL, or LABEL where it served every shape.
removed AS (
    SELECT value, substr(value, 1, instr(value, '.') - 1) AS shape, substr(value, instr(value, '.') + 1) AS label
    FROM asked, json_each(plan, '$.removed')),
planned AS (SELECT value AS shape FROM asked, json_each(plan, '$.shapes')),
sizes AS (
    SELECT shape, CAST(shape AS INTEGER) AS m, CAST(substr(shape, instr(shape, 'x') + 1) AS INTEGER) AS n,
        CAST(substr(shape, instr(shape, 'x') + 1 + instr(substr(shape, instr(shape, 'x') + 1), 'x')) AS INTEGER) AS k
    FROM (SELECT shape FROM planned UNION SELECT shape FROM removed)),
shapes AS (SELECT * FROM sizes WHERE shape = m || 'x' || n || 'x' || k),
gone AS (
    SELECT m, n, k, label AS candidate, 'the earlier set had this kernel' AS text FROM removed JOIN shapes USING (shape)
    UNION ALL
    SELECT m, n, k, value, 'the earlier set had this kernel'
    FROM planned JOIN shapes USING (shape), removed WHERE removed.shape NOT IN (SELECT shape FROM shapes)
    UNION ALL
    SELECT DISTINCT m, n, k, candidate, 'the earlier run had it' FROM pairs
    WHERE run = 'base' AND shape IN (SELECT shape FROM planned)
        AND (m, n, k, candidate) NOT IN (SELECT m, n, k, candidate FROM fates
                                         WHERE run = 'run' AND tested AND fate <> 'unsupported')),
-- The first kernel of each shape that serves it and was timed, or should have been.
serving AS (SELECT m, n, k, candidate AS other, min(number) FROM alone GROUP BY m, n, k),
rows AS (
SELECT m, n, k, candidate, source, mode, lens, by_call OR iif(unbounded, 0, coalesce(pair_unrecorded, 0)) AS unrecorded,
    iif(unbounded, '', reference) AS reference, visits_seconds, checks_seconds, iif(reference = '', median, NULL) AS seconds,
    iif(reference = '', visits, NULL) AS visits, number, judged,
    CASE WHEN reference <> '' THEN 'undecided'
         WHEN disturbed OR earlier_fate IN ('not built', 'without memory') THEN 'environment'
         WHEN NOT untimed AND comparable THEN 'added' ELSE 'undecided' END AS status,
    CASE WHEN unbounded THEN 'unbounded'
         WHEN reference <> '' THEN ''
         WHEN earlier_fate IN ('not built', 'without memory') THEN earlier_fate
         WHEN untimed THEN 'untimed'
         WHEN NOT comparable THEN ''
         WHEN earlier_failed THEN 'earlier refused' ELSE '' END AS why,
    CASE WHEN unbounded THEN 'no device work on the stage, of the calls that were timed, bounds a time by ' || lens
         WHEN reference <> '' THEN ''
         WHEN earlier_fate = 'not built' THEN 'the earlier kernel: not compiled: ' || earlier_detail
         WHEN earlier_fate = 'without memory' THEN 'the earlier kernel: too little device memory: ' || earlier_detail
         WHEN median IS NULL THEN 'was not timed'
         WHEN untimed THEN 'the earlier kernel was not timed'
         WHEN NOT comparable THEN 'not comparable'
         WHEN earlier_failed THEN 'the earlier kernel was refused: ' || earlier_outcome
             || iif(earlier_detail = '', '', ': ' || earlier_detail)
         ELSE '' END AS text
FROM alone
UNION ALL
SELECT m, n, k, candidate, iif(becomes = 'unsupported', '', source), '', '', 0, '', NULL, NULL, NULL, NULL, number, 0,
    CASE WHEN becomes = 'lacking' THEN 'environment' WHEN becomes = 'unsupported' THEN 'missing'
         WHEN fate = 'refused' THEN 'wrong' ELSE 'unrecorded' END,
    iif(becomes = 'lacking', fate, ''),
    CASE WHEN fate = 'not built' THEN 'not compiled: ' || detail
         WHEN fate = 'without memory' THEN 'too little device memory: ' || detail
         WHEN becomes = 'refused' THEN deed || iif(detail = '', '', ': ' || detail)
         WHEN again THEN 'the kernel says in some processes that it does not serve the shape'
         ELSE 'the kernel says that it does not serve the shape any more' END
FROM units WHERE becomes IN ('lacking', 'refused') OR (becomes = 'unsupported' AND (again OR served_before))
UNION ALL
SELECT m, n, k, candidate, '', '', '', 0, '', NULL, NULL, NULL, NULL, 1e9, 0, 'missing', '', text FROM gone),
-- A shape is missing where nothing serves it. Where another kernel does, what may be lost is speed, and nothing has shown
-- that it is not.
eased AS (
    SELECT rows.*, other, status = 'missing' AND other IS NOT NULL AND NOT compares AS eases
    FROM asked, rows LEFT JOIN serving USING (m, n, k))
SELECT m, n, k, candidate, source, mode, lens, unrecorded, reference, visits_seconds,
    visits_seconds + checks_seconds AS wall_seconds, seconds, visits,
    iif(eases, 'undecided', status) AS status, iif(eases, 'gone', why) AS why,
    iif(eases, text || '; ' || other || ' serves the shape, and nothing shows whether it is as fast', text) AS text
FROM eased ORDER BY number, judged
