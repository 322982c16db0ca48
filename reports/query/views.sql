-- What follows from the rows of runs, for every query.

-- What became of each kernel on each shape: checks.csv with the outcome's fate (passed, unrecorded, unsupported, not
-- built, without memory, refused), severity and deed. `tested` is 1 for a kernel under test, `row` the order of the file.
CREATE VIEW fates AS
SELECT checks.*, checks.rowid AS row, outcomes.fate, outcomes.severity, outcomes.deed, kernel = candidate AS tested
FROM checks JOIN outcomes USING (outcome);

-- What summary lines sum up: of a run its ratios. A line is of a candidate, lens, mode, baseline and size class; the class is
-- NULL where nobody asks for it. The pair of a row is the kernel's against `link`. `unrecorded`: the kernel is, or the
-- earlier one that it is held against.
CREATE VIEW summed AS
WITH silent AS (
    SELECT run, m, n, k, candidate, max(tested) AS itself FROM fates
    WHERE fate = 'unrecorded' AND kernel IN (candidate, 'previous') GROUP BY run, m, n, k, candidate)
SELECT run, m, n, k, candidate, lens, mode, baseline, NULL AS class, 0 AS class_place, candidate AS kernel,
    baseline AS link, ratio, speedup, seconds, verdict, left_out, itself IS NOT NULL AND (itself OR baseline = 'previous') AS unrecorded
FROM ratios LEFT JOIN silent USING (run, m, n, k, candidate);

-- The summary lines, in order (reports/tables/lines.h): `shapes` have a speedup, and are what mean, median, sd and wins are
-- over; geomean is the mean ratio, middle the median. Intervals hold for another run of the same shapes, or for other shapes.
CREATE TABLE lines (run TEXT, candidate TEXT, lens TEXT, mode TEXT, baseline TEXT, class TEXT, shapes INTEGER, mean REAL,
    median REAL, sd REAL, wins INTEGER, geomean REAL, low REAL, high REAL, shapes_low REAL, shapes_high REAL, with_refused REAL,
    middle REAL, tflops REAL, better REAL, faster INTEGER, same INTEGER, slower INTEGER, undecided INTEGER, environment INTEGER,
    maybe INTEGER, known INTEGER, behind INTEGER, judged INTEGER, refused INTEGER, unrecorded INTEGER, left_out INTEGER,
    reference INTEGER, leads INTEGER);

-- The ratios to the reference library of their lens, of the run that sections_load (reports/sections/sections.h) takes.
CREATE TABLE against AS SELECT * FROM ratios;

-- `lines` with the columns that tables of them show, named as query_table wants it (reports/query/query.h).
CREATE VIEW shown_lines AS
SELECT run, rowid AS line, tflops, candidate AS "candidate||text same", mode AS "mode||text same", lens AS "lens||text same",
    baseline AS "baseline||unbroken empty", class AS "class|size_class|absent", shapes AS "shapes||count", geomean AS "ratio (95 %)|geomean_ratio|ratio empty",
    low AS geomean_ratio_low, high AS geomean_ratio_high, NULL AS "over shapes|over_shapes|interval data",
    shapes_low AS over_shapes_low, shapes_high AS over_shapes_high, middle AS "median|median_ratio|number data",
    iif(judged, faster, NULL) AS "faster||count empty|no verdicts were given",
    iif(judged, slower, NULL) AS "slower||count empty|no verdicts were given",
    iif(judged, same, NULL) AS "same||count empty|no verdicts were given",
    iif(judged, undecided, NULL) AS "undecided||count empty|no verdicts were given",
    iif(judged, environment, NULL) AS "environment||count zero|no verdicts were given",
    iif(class IS NULL, NULL, maybe) AS "maybe-faster||count absent", iif(class IS NULL, NULL, known) AS "known||count absent",
    iif(class IS NULL, NULL, behind) AS "behind||count absent",
    mean AS "paper's mean %|mean|speedup empty", median AS "its median %|median|speedup data",
    sd AS "sd %|sd|share data", wins AS "wins||count data", unrecorded AS "unrecorded||count zero",
    better AS "better of both %|better_of_both|speedup empty files", refused AS "refused||count data",
    left_out AS "with visits left out|left_out|count data", leads AS "leads||count data"
FROM lines;

-- The figures of a run's report.
CREATE TABLE figures (run TEXT, name TEXT, candidate TEXT, lens TEXT, title TEXT, drawn INTEGER);

-- What the tensor cores of a device do at best, in operations per second: as the plan of the table `runs` (reports/tables/runs.h)
-- gives it, or by the limits that the manifest has of the device, or of all.
CREATE VIEW peaks AS
WITH cards AS (SELECT DISTINCT run, device AS card FROM times),
rates AS (
    SELECT run, card AS device, 1e12 * (plan ->> 'peak_tflops') AS given, json_extract(
        coalesce((SELECT value FROM json_each(manifest, '$.devices') WHERE value ->> 'label' = card), manifest),
        '$.limits.rates.f16_flops') AS limited
    FROM cards JOIN runs USING (run))
SELECT run, device, iif(given > 0, given, limited) AS flops FROM rates WHERE limited > 0 OR (given > 0 AND limited IS NOT NULL);

-- The shapes of a run's plan for which there is no kernel, or each says that it does not serve the shape. The plan's units are its
-- kernels on shapes, SHAPE.LABEL. A run of libraries alone, or of some units, has none.
CREATE VIEW unserved AS
WITH served AS (
    SELECT run, substr(value, 1, instr(value, '.') - 1) AS shape FROM runs, json_each(plan, '$.units')
    WHERE instr(value, '.') > 0 AND (run, value) NOT IN (
        SELECT run, shape || '.' || candidate FROM fates WHERE tested AND fate = 'unsupported')),
asked AS (
    SELECT run, value AS shape, substr(value, instr(value, 'x') + 1) AS rest FROM runs, json_each(plan, '$.shapes')
    WHERE json_array_length(plan, '$.candidates') > 0 AND plan -> 'only' IS NOT 'true')
SELECT run, CAST(shape AS INTEGER) AS m, CAST(rest AS INTEGER) AS n, CAST(substr(rest, instr(rest, 'x') + 1) AS INTEGER) AS k
FROM asked WHERE (run, shape) NOT IN (SELECT run, shape FROM served);

-- By which lenses the ratios of a run are stated (reports/tables/runs.h).
CREATE TABLE stated (run TEXT, lens TEXT, held REAL, at_us REAL, took_us REAL);

-- The same in words: "1 of 2 shapes has no kernel: 96x96x96".
CREATE VIEW unserved_words AS
WITH placed AS (SELECT *, row_number() OVER (PARTITION BY run ORDER BY m, n, k) AS number FROM unserved)
SELECT run, printf('%d of %d shape%s no kernel: ', count(*), shapes, iif(count(*) > 1, 's have', iif(shapes = 1, ' has', 's has')))
    || group_concat(iif(number <= 3, m || 'x' || n || 'x' || k, NULL), ', ')
    || iif(count(*) > 3, printf(' and %d more', count(*) - 3), '') AS text
FROM placed JOIN runs USING (run) GROUP BY run;

-- The entries of a store (reports/store/store.h). Each is a run whose folder is called so.
CREATE VIEW entries AS
SELECT run, substr(folder, length(rtrim(folder, replace(folder, '/', ''))) + 1) AS entry,
    manifest ->> '$.promoted.at' AS promoted, coalesce(manifest ->> '$.promoted.forced', '') AS forced,
    coalesce(manifest ->> '$.gemmgate.git_commit', '') AS "commit", coalesce(manifest ->> 'kernels_commit', '') AS kernels,
    set_name AS "set", device, fingerprint AS "key", manifest ->> '$.promoted.shapes' AS shapes, plan ->> 'visits' AS visits
FROM runs;

-- Runs side by side (reports/tables/agree.h): what each was measured on, and its folder.
CREATE TABLE sides (run TEXT, device TEXT, folder TEXT);

-- The controls of a run (reports/tables/controls.h) by mode and lens, and those of each kind.
CREATE TABLE control_series (run TEXT, mode TEXT, lens TEXT, by_lens INTEGER, by_mode INTEGER, delays INTEGER, seen INTEGER,
    vague INTEGER, planted REAL, found REAL, launch REAL, paper REAL, paper_low REAL, paper_high REAL);
CREATE TABLE control_tallies (run TEXT, mode TEXT, lens TEXT, kind INTEGER, name TEXT, subject TEXT, far REAL, misses TEXT,
    intervals INTEGER, missing INTEGER, expected REAL, chance REAL, ratios INTEGER, mean REAL, mean_low REAL, mean_high REAL,
    half_width REAL, widest REAL);
