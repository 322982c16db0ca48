-- Makes the table `units`: what both stages find of each kernel on a shape, and of the earlier kernel.
CREATE TEMP TABLE units AS
WITH sides AS (
    SELECT fates.*, fates.run = 'confirm' AS again,
        CASE WHEN fate IN ('not built', 'without memory') THEN 'lacking'
             WHEN fate = 'refused' OR (fate = 'unrecorded' AND NOT unrecorded_allowed) THEN 'refused'
             WHEN fate = 'unsupported' THEN 'unsupported'
             ELSE 'timed' END AS becomes
    FROM fates, asked WHERE tested AND candidate <> '' AND fates.run IN ('run', 'confirm')),
-- The words are in alphabetical order, the worst but one first: lacking, refused, timed, unsupported.
worst AS (
    SELECT *, row_number() OVER (PARTITION BY m, n, k, candidate ORDER BY becomes = 'timed', becomes, again) AS place
    FROM sides),
-- Beside the new kernel, or in a run of its own. Of that a gate asks only whether the kernel was refused: what another
-- machine lacked is nothing to it. A kernel that does not serve the shape is none.
before AS (
    SELECT m, n, k, candidate, fate, outcome, detail, run = 'run' AS stage FROM fates
    WHERE kernel = 'previous' AND run IN ('run', 'confirm')
    UNION ALL
    SELECT m, n, k, iif(candidate = base_set, run_set, candidate), fate, outcome, detail, 2 FROM fates, asked
    WHERE fates.run = 'base' AND tested AND (compares OR fate = 'refused') AND (candidate = base_set OR candidate <> run_set)),
-- One that failed goes before one that passed.
earlier AS (
    SELECT *, row_number() OVER (PARTITION BY m, n, k, candidate ORDER BY fate IN ('passed', 'unrecorded'), stage) AS place
    FROM before WHERE fate <> 'unsupported')
SELECT now.row AS number, now.m, now.n, now.k, now.candidate, now.source, worst.becomes, worst.again, worst.fate,
    worst.deed, worst.detail, earlier.fate AS earlier_fate, earlier.outcome AS earlier_outcome,
    earlier.detail AS earlier_detail, earlier.fate NOT IN ('passed', 'unrecorded') AS earlier_failed,
    beside.fate IN ('passed', 'unrecorded') AS served_before,
    now.fate = 'unrecorded' OR (NOT stored AND beside.fate IS 'unrecorded') AS unrecorded
FROM asked, fates AS now JOIN worst USING (m, n, k, candidate)
    LEFT JOIN earlier ON earlier.m = now.m AND earlier.n = now.n AND earlier.k = now.k
        AND earlier.candidate = now.candidate AND earlier.place = 1
    LEFT JOIN fates AS beside ON beside.m = now.m AND beside.n = now.n AND beside.k = now.k
        AND beside.candidate = now.candidate AND beside.run = 'run' AND beside.kernel = 'previous'
WHERE now.run = 'run' AND now.tested AND now.candidate <> '' AND worst.place = 1
