-- The rows that a figure draws: of those with a ratio the first twenty, since a longer list is read by nobody. A label is of at most
-- forty letters: the middle of a longer one is left out. `verdicts` and `most` (the widest margin) are of all rows; `lens` is
-- the one of all, or "".
WITH drawn AS (
    SELECT *, reference <> '' AND margin = 0 AS of_library,
        CASE drawn WHEN 'faster' THEN 0 WHEN 'same' THEN 1 WHEN 'slower' THEN 2 ELSE 3 END AS verdict
    FROM shown_rows WHERE ratio > 0 ORDER BY place LIMIT 20),
sums AS (
    SELECT count(*) AS rows, max(margin) AS most, iif(count(DISTINCT mode_lens) = 1, mode_lens, '') AS lens FROM drawn),
labelled AS (
    SELECT *, substr(name, 1, 60) || iif(unrecorded, ' unrecorded', '') || iif(of_library, ' / library', '')
        || iif(lens_of_all = '', ' ' || substr(mode_lens, 1, 60), '') AS label
    FROM drawn, (SELECT rows, most, lens AS lens_of_all FROM sums))
SELECT iif(length(label) > 40, substr(label, 1, 24) || '…' || substr(label, -15), label) AS label, ratio,
    iif(abs(ci_low) < 9e999, ci_low, ratio) AS low, iif(abs(ci_high) < 9e999, ci_high, ratio) AS high,
    row_number() OVER (ORDER BY place) - 1 AS place, verdict, coalesce(margin, 0) AS margin, rows, coalesce(most, 0) AS most,
    lens_of_all AS lens,
    (SELECT group_concat(verdict || ' ', '') FROM (SELECT DISTINCT verdict FROM drawn ORDER BY verdict)) AS verdicts
FROM labelled ORDER BY place
