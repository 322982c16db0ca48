-- What follows from the rows of runs, for every query.

-- What became of each kernel on each shape: checks.csv with the outcome's fate (passed, unrecorded, unsupported, not
-- built, without memory, refused), severity and deed. `tested` is 1 for a kernel under test, `row` the order of the file.
CREATE VIEW fates AS
SELECT checks.*, checks.rowid AS row, outcomes.fate, outcomes.severity, outcomes.deed, kernel = candidate AS tested
FROM checks JOIN outcomes USING (outcome);

-- The ratios to the reference library of their lens. tables_add (reports/tables/tables.h) makes `lines`.
CREATE VIEW against AS
SELECT ratios.* FROM ratios JOIN lines USING (run, candidate, mode, lens, baseline) WHERE lines.reference;

-- What sections_load (reports/sections/sections.h) knows beside the rows: what the tensor cores of a device do at best, in
-- operations per second; the shapes that no kernel serves; and of several devices, or cards of one model, what each is
-- and what its lines are called, and the mean over cards of a line.
CREATE TABLE peaks (run TEXT, device TEXT, flops REAL);
CREATE TABLE unserved (run TEXT, m INTEGER, n INTEGER, k INTEGER);
CREATE TABLE sides (run TEXT, device TEXT, folder TEXT);
CREATE TABLE models (run TEXT, candidate TEXT, mode TEXT, lens TEXT, baseline TEXT, cards INTEGER, mean REAL, low REAL, high REAL);
