-- The tables that a gate or a comparison fills, and its outputs read.

-- What can become of a row, the worst first; last what nobody has looked at. A comparison, which confirms nothing, has no behind,
-- known or maybe-faster. `fate` is an element of JUnit, `level` that of an annotation. A figure draws a row as `drawn`: what
-- shows nothing is undecided.
CREATE TEMP TABLE statuses AS
WITH list(severity, status, fate, level, drawn, says) AS (VALUES
    (0, 'wrong', 'error', 'error', 'undecided', 'the kernel was refused'),
    (1, 'unrecorded', 'failure', 'error', 'undecided', 'cannot be recorded, which the policy refuses'),
    (2, 'slower', 'failure', 'error', 'slower', 'slower than the margin allows, confirmed'),
    (3, 'behind', 'failure', 'error', 'slower', 'does not beat a baseline that it must beat'),
    (4, 'missing', 'failure', 'error', 'undecided', 'no kernel serves this shape any more'),
    (5, 'environment', 'error', 'warning', 'undecided', 'the machine was not fit: nothing is known of the kernel'),
    (6, 'undecided', 'skipped', 'warning', 'undecided', 'neither shown to be slower nor shown not to be'),
    (7, 'known', 'system-out', 'notice', 'slower', 'slower, as far as the policy allows'),
    (8, 'added', 'skipped', '', 'undecided', 'nothing to compare with'),
    (9, 'same', 'system-out', '', 'same', 'shown not to be slower than the margin allows'),
    (10, 'maybe-faster', 'system-out', '', 'faster', 'perhaps faster: one 95 % interval above 1, not confirmed'),
    (11, 'faster', 'system-out', '', 'faster', 'faster, confirmed in fresh visits'))
SELECT *, severity < 9 AS open, iif(severity < 5, 'slower', iif(status = 'faster', 'faster', '')) AS mood FROM list;

-- The modes that are judged, each by a lens.
CREATE TEMP TABLE judged (place INTEGER, mode TEXT, lens TEXT, position INTEGER);

-- The rows, the most severe first, of these the slowest. `mode` and `lens` are "" where the row is about neither. `ratio` is
-- t_reference / t_candidate. `why` stands behind a status that does not say it: not built, without memory, untimed (it or the
-- earlier kernel has passed its checks, and has no time), unbounded (no device work bounds the time), earlier refused, gone
-- (another kernel serves the shape). `ordinary` is the margin of the size class, `line` that of a known regression. `link` is what
-- the kernel was screened against; NULL: nothing is compared. Seconds are those that measuring took, in all and of the visits;
-- NULL where the row is about no mode.
CREATE TEMP TABLE gate_rows (number INTEGER, m INTEGER, n INTEGER, k INTEGER, candidate TEXT, source TEXT, mode TEXT, lens TEXT,
    unrecorded INTEGER, class TEXT, class_place INTEGER, ordinary REAL, line INTEGER, link TEXT, status TEXT, why TEXT, text TEXT,
    reference TEXT, ratio REAL, ci_low REAL, ci_high REAL, seconds REAL, margin REAL, p REAL, visits REAL, left_out REAL,
    timed_visits REAL, suspect INTEGER, confirmed INTEGER, device_ratio REAL, call_ratio REAL, wall_seconds REAL,
    visits_seconds REAL);

-- The rows with all that is said of them, wherever it is said. `change` is "5 % more time"; `decided` is by what: Student's t of the
-- confirmation, after Holm's correction, or the 95 % interval; `proof` has the numbers as a sentence.
CREATE TEMP VIEW shown_rows AS
WITH told AS (
    SELECT gate_rows.*, gate_rows.rowid AS place, statuses.*, m || 'x' || n || 'x' || k AS shape, seconds * ratio AS reference_seconds,
        m || 'x' || n || 'x' || k || iif(candidate = '', '', '.' || candidate) AS name,
        mode || iif(mode <> '' AND lens <> '', '.', '') || lens AS mode_lens,
        iif(visits IS NULL, '', iif(confirmed, 'confirmation', 'screening')) AS stage,
        CASE WHEN gate_rows.status IN ('slower', 'behind', 'faster') THEN iif(p IS NULL, 'interval', 'Student''s t')
             WHEN gate_rows.status IN ('known', 'same', 'maybe-faster') THEN 'interval' ELSE '' END AS decided,
        iif(left_out > 0, printf('%.0f of %.0f visits left out: disturbed', left_out, timed_visits), '') AS left_out_text,
        printf(iif(abs(1 / ratio - 1) < 9.995, '%.3g %% %s time', '%.0f %% %s time'), abs(100 * (1 / ratio - 1)),
            iif(1 / ratio > 1, 'more', 'less')) AS change
    FROM gate_rows JOIN statuses USING (status))
SELECT *,
    iif(ratio IS NULL, '', 'takes ' || change || ' than ' || reference || iif(unrecorded, ', unrecorded', '')
        || iif(status = 'slower' AND confirmed, ', confirmed', '') || iif(text = '', '', ': ')) AS takes,
    iif(ratio IS NULL, '', iif(unrecorded, 'unrecorded: ', '') || printf('runs at %.4f of the speed of ', ratio) || reference
        || iif(ci_low > -9e999 AND ci_high < 9e999, printf(' (95 %% interval %.4f to %.4f)', ci_low, ci_high), '')
        || iif(reference_seconds IS NULL, '', printf(', %.4g us against %.4g us', 1e6 * seconds, 1e6 * reference_seconds))
        || iif(margin IS NULL, '', printf('; margin %.3g %%', 100 * margin))
        || iif(p IS NULL OR status = 'environment', '', printf(', p = %.2g after Holm', p))
        || iif(visits IS NULL, '', printf(', %.0f visits of the %s', visits, stage))
        || iif(left_out_text = '', '', ', ' || left_out_text) || iif(decided = '', '', '; decided by the ' || decided)) AS proof
FROM told;

-- How many rows there are of each kind.
CREATE TEMP VIEW counts AS
SELECT count(*) AS rows, count(link) AS compared, total(lens <> '') AS timed, total(unrecorded) AS by_call,
    total(status = 'wrong') AS wrong, total(status = 'unrecorded') AS unrecorded, total(status = 'environment') AS environment,
    total(status = 'undecided') AS undecided, total(status = 'undecided' AND why = 'untimed') AS untimed,
    total(status = 'undecided' AND ci_high < 1 / (1 + margin)) AS beyond, total(why = 'not built') AS unbuilt,
    total(why = 'without memory') AS starved, total(why = 'unbounded') AS unbounded, total(why = 'gone') AS gone,
    total(why = 'earlier refused') AS earlier_refused, total(left_out > 0) AS left_out
FROM gate_rows;

-- How far rows beat what they must beat, once all do.
CREATE TEMP VIEW beaten AS
SELECT baseline, count(row) AS rows, CASE WHEN count(row) THEN printf('%d row%s %s, by %.3g%s', count(row),
    iif(count(row) = 1, ' beats', 's beat'), baseline, min(ratio), iif(count(row) = 1, '', ' at least')) END AS text
FROM musts LEFT JOIN evidence ON must AND reference = baseline
WHERE NOT EXISTS (SELECT 1 FROM wanted WHERE NOT measured)
    AND NOT EXISTS (SELECT 1 FROM evidence JOIN statuses USING (status) WHERE must AND severity <= 6)
GROUP BY musts.rowid;

-- Known regressions by shapes and label; a label that is "" is any.
CREATE TEMP VIEW patterns AS
SELECT rowid AS number, *, substr(pattern, 1, instr(pattern || '.', '.') - 1) AS shapes,
    substr(pattern, instr(pattern || '.', '.') + 1) AS label
FROM known;

-- What a gate warns of.
CREATE TEMP TABLE warnings (text TEXT);

-- Texts about a gate as a whole: their names in data, and for people (NULL: pages say it elsewhere). The last is the command line that
-- judges the same run again; nothing where nothing was measured.
CREATE TEMP VIEW facts AS
WITH commands(command) AS (
    SELECT iif(asked, 'gemmgate gate ' || quoted(run_folder) || iif(policy_file IS NULL, '', ' --policy ' || quoted(policy_file))
        || iif(against IS NULL, '', ' --against ' || quoted(against)) || iif(entry IS NULL, '', ' --entry ' || quoted(entry))
        || iif(renamed IS NULL, '', ' --renamed ' || quoted(renamed)) || iif(release, ' --release', '')
        || iif(absolute, ' --absolute', ''), '')
    FROM whole)
SELECT 'reason' AS key, NULL AS label, reason AS text FROM whole
UNION ALL SELECT 'run', NULL, run_folder FROM whole
UNION ALL SELECT 'set', 'Set', set_name FROM whole
UNION ALL SELECT 'folder', NULL, folder FROM whole
UNION ALL SELECT 'previous', 'Compared with', previous FROM whole
UNION ALL SELECT 'kernels_commit', 'Kernels at', kernels_commit FROM whole
UNION ALL SELECT 'previous_commit', 'Earlier kernels at', previous_commit FROM whole
UNION ALL SELECT 'commit', 'By gemmgate', gemmgate_commit FROM whole
UNION ALL SELECT 'device', 'Device', device FROM whole
UNION ALL SELECT 'start', 'Measured', start FROM whole
UNION ALL SELECT 'end', NULL, finish FROM whole
UNION ALL SELECT 'plan_hash', NULL, plan_hash FROM whole
UNION ALL SELECT 'again', NULL, command FROM commands;
