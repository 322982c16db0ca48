-- What follows from the rows of runs, for every query.

-- What became of each kernel on each shape: checks.csv with the outcome's fate (passed, unrecorded, unsupported, not
-- built, without memory, refused), severity and deed. `tested` is 1 for a kernel under test, `row` the order of the file.
CREATE VIEW fates AS
SELECT checks.*, checks.rowid AS row, outcomes.fate, outcomes.severity, outcomes.deed, kernel = candidate AS tested
FROM checks JOIN outcomes USING (outcome);

-- The ratios to the reference library of their lens. tables_add (reports/tables/tables.h) makes `lines`.
CREATE VIEW against AS
SELECT ratios.* FROM ratios JOIN lines USING (run, candidate, mode, lens, baseline) WHERE lines.reference;

-- `lines` with the columns that tables of them show, named as query_table wants it (reports/query/query.h).
CREATE VIEW shown_lines AS
SELECT run, rowid AS line, tflops, candidate AS "candidate||text same", mode AS "mode||text same", lens AS "lens||text same",
    baseline AS "baseline||unbroken empty", shapes AS "shapes||count", geomean AS "ratio (95 %)|geomean_ratio|ratio empty",
    low AS geomean_ratio_low, high AS geomean_ratio_high, NULL AS "over shapes|over_shapes|interval data",
    shapes_low AS over_shapes_low, shapes_high AS over_shapes_high, middle AS "median|median_ratio|number data",
    iif(judged, faster, NULL) AS "faster||count empty|no verdicts were given",
    iif(judged, slower, NULL) AS "slower||count empty|no verdicts were given",
    iif(judged, same, NULL) AS "same||count empty|no verdicts were given",
    iif(judged, undecided, NULL) AS "undecided||count empty|no verdicts were given",
    iif(judged, environment, NULL) AS "environment||count zero|no verdicts were given",
    mean AS "paper's mean %|mean|speedup empty", median AS "its median %|median|speedup data",
    sd AS "sd %|sd|share data", wins AS "wins||count data", unrecorded AS "unrecorded||count zero",
    better AS "better of both %|better_of_both|speedup empty files", refused AS "refused||count data",
    left_out AS "with visits left out|left_out|count data", leads AS "leads||count data"
FROM lines;

-- What sections_load (reports/sections/sections.h) knows beside the rows: what the tensor cores of a device do at best, in
-- operations per second; the shapes that no kernel serves; and of several devices, or cards of one model, what each is
-- and what its lines are called, and the mean over cards of a line.
CREATE TABLE peaks (run TEXT, device TEXT, flops REAL);
CREATE TABLE unserved (run TEXT, m INTEGER, n INTEGER, k INTEGER);
CREATE TABLE sides (run TEXT, device TEXT, folder TEXT);
CREATE TABLE models (run TEXT, candidate TEXT, mode TEXT, lens TEXT, baseline TEXT, cards INTEGER, mean REAL, low REAL, high REAL);
