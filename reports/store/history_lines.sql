-- The summary lines of each kind of machine.
SELECT device AS "device||same", shown_lines.*
FROM shown_lines JOIN (SELECT DISTINCT "key", device FROM series) ON run = "key" ORDER BY line
