-- What rows are held against: the earlier kernel; and each library that a row must beat, with a margin of nothing, in one family
-- of tests with the regressions.
SELECT made.rowid AS row, m, n, k, candidate, mode, lens, reference, 0 AS must, max(ordinary, most) AS margin
FROM made JOIN placed ON placed.row = made.rowid WHERE reference <> ''
UNION ALL
SELECT row, m, n, k, candidate, mode, lens, baseline, number, 0 FROM wanted WHERE measured
ORDER BY row, must
