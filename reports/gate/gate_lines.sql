-- The summary lines of a gate or a comparison.
SELECT * FROM shown_lines ORDER BY line
