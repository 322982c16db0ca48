-- The figures of run ?1: Figures 1 and 3 of each candidate and lens with its reference library, and of Figure 3 that library.
-- Below the title stands where the numbers are from, and what the means of Figure 1 are.
WITH own AS (
    SELECT candidate, lens, place, max(iif(reference, baseline, '')) AS library, min(lines.rowid) AS row,
        printf('%s over %d shape%s', iif(count(geomean), 'geometric mean with its 95 % interval', 'mean as the paper counts'),
            max(lines.shapes), iif(max(lines.shapes) = 1, '', 's')) AS means
    FROM lines JOIN runs USING (run) WHERE run = ?1 GROUP BY candidate, lens HAVING max(reference)),
figures AS (
    SELECT candidate, lens, 'figure1' AS number, 'libraries' AS kind, '' AS library, row,
        candidate || ': ratio to each library, ' || lens || ' lens' AS shown, place || ', ' || means AS below FROM own
    UNION ALL
    SELECT candidate, lens, 'figure3', 'sizes', library, row,
        candidate || ': ratio to ' || library || ' by size, ' || lens || ' lens', place FROM own)
SELECT candidate AS of_kernel, lens, kind, library, number || '-' || candidate || iif(lens = 'call', '', '-' || lens) AS file,
    shown, shown || iif(below = '', '', char(10) || below) AS title
FROM figures ORDER BY row, number
