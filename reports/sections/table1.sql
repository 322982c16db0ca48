-- The summary lines of run ?1, as the terminal and table1.csv have them.
SELECT * FROM shown_lines WHERE run = ?1 ORDER BY line
