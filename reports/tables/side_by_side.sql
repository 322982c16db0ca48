-- The summary lines of the runs side by side, those of one line below each other.
SELECT device AS "device||", shown_lines.*, tflops AS "TFLOP/s|tflops|significant", folder AS "run||code"
FROM runs JOIN shown_lines USING (run) ORDER BY row_number() OVER (PARTITION BY run ORDER BY line), runs.rowid
