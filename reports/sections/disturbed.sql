-- Of run ?1, how much was disturbed of a line: its candidate, mode, lens and baseline.
SELECT sum(left_out) AS left_out, sum(timed_visits) AS visits, avg(disturbed) AS disturbed
FROM ratios WHERE run = ?1 AND candidate = ?2 AND mode = ?3 AND lens = ?4 AND baseline = ?5 AND disturbed IS NOT NULL
