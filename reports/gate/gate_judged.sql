-- Fills the table `judged`: the modes and lenses of the rows, by what is `asked`. A gate judges each mode by one lens: the
-- policy's, device, call or stream, the first of these by which the mode was timed, else the first that was planned. A
-- comparison shows each lens by which a mode was timed.
INSERT INTO judged
WITH planned AS (
    SELECT key AS place, value AS mode FROM asked, json_each(plan, '$.modes') WHERE policy_mode IN ('', value)),
timed AS (SELECT DISTINCT mode, lens FROM times WHERE run = 'run'),
wanted(lens, number) AS (
    SELECT policy_lens, 0 FROM asked UNION ALL VALUES ('device', 1), ('call', 2), ('stream', 3)),
offers AS (
    SELECT place, mode, lens, 0 AS tier, number FROM planned JOIN timed USING (mode) JOIN wanted USING (lens)
    UNION ALL
    SELECT place, mode, lens, 1, number
    FROM planned, wanted, asked WHERE lens IN (SELECT value FROM json_each(plan, '$.lenses'))
    UNION ALL
    SELECT place, mode, coalesce(json_extract(plan, '$.lenses[0]'), ''), 2, 0 FROM planned, asked),
best AS (SELECT *, row_number() OVER (PARTITION BY place ORDER BY tier, number) AS first FROM offers)
SELECT place, mode, lens, 0 AS position FROM best, asked WHERE first = 1 AND NOT compares
UNION ALL
SELECT place, mode, lens, position FROM planned JOIN timed USING (mode) JOIN lenses USING (lens), asked WHERE compares
ORDER BY place, position
