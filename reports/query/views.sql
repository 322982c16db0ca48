-- What follows from the rows of runs, for every query.

-- What became of each kernel on each shape: checks.csv with the outcome's fate (passed, unrecorded, unsupported, not
-- built, without memory, refused), severity and deed. `tested` is 1 for a kernel under test, `row` the order of the file.
CREATE VIEW fates AS
SELECT checks.*, checks.rowid AS row, outcomes.fate, outcomes.severity, outcomes.deed, kernel = candidate AS tested
FROM checks JOIN outcomes USING (outcome);

-- The ratios to the reference library of their lens. tables_add (reports/tables/tables.h) makes `lines`.
CREATE VIEW against AS
SELECT ratios.* FROM ratios JOIN lines USING (run, candidate, mode, lens, baseline) WHERE lines.reference;
