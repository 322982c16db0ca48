-- What follows from a run's rows, for every query. views.sql makes these views once a database.

-- What became of each kernel on each shape: the rows of checks.csv with the outcome's fate (passed, unrecorded,
-- unsupported, not built, without memory, refused) and severity. `tested` is 1 for a kernel under test.
CREATE VIEW fates AS
SELECT checks.*, outcomes.fate, outcomes.severity, kernel = candidate AS tested
FROM checks JOIN outcomes USING (outcome);
