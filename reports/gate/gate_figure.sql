-- The rows that a figure draws: of those with a ratio the first twenty, since a longer list is read by nobody. A label is of at most
-- forty letters: the middle of a longer one is left out. `verdicts` are of all rows, and so is a lens in the title.
WITH drawn AS (
    SELECT *, reference <> '' AND margin = 0 AS of_library,
        CASE drawn WHEN 'faster' THEN 0 WHEN 'same' THEN 1 WHEN 'slower' THEN 2 ELSE 3 END AS verdict
    FROM shown_rows WHERE ratio > 0 ORDER BY place LIMIT 20),
sums AS (
    SELECT iif(count(DISTINCT mode_lens) = 1, mode_lens, '') AS lens_of_all FROM drawn),
labelled AS (
    SELECT *, substr(name, 1, 60) || iif(unrecorded, ' unrecorded', '') || iif(of_library, ' / library', '')
        || iif(lens_of_all = '', ' ' || substr(mode_lens, 1, 60), '') AS label
    FROM drawn, sums)
SELECT '' AS mode, ratio, iif(abs(ci_low) < 9e999, ci_low, ratio) AS low, iif(abs(ci_high) < 9e999, ci_high, ratio) AS high,
    row_number() OVER (ORDER BY place) - 1 AS place, verdict, coalesce(margin, 0) AS margin,
    iif(length(label) > 40, substr(label, 1, 24) || '…' || substr(label, -15), label) AS label, 'list' AS kind,
    'Ratios with their 95 % intervals' || iif(lens_of_all = '', '', ', ' || lens_of_all) AS title,
    (SELECT group_concat(verdict || ' ', '') FROM (SELECT DISTINCT verdict FROM drawn ORDER BY verdict)) AS verdicts
FROM labelled ORDER BY place
