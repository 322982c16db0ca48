-- What stands above and below the tables of rows and lines (?2: which); nothing where a table has nothing.
WITH told AS (
    SELECT count(*) AS rows, total(open) AS looked_at, total(status = 'maybe-faster') AS maybe, total(status = 'faster') AS faster,
        total(confirmed) AS again, (SELECT count(*) FROM lines) AS lines
    FROM shown_rows),
said(name, kind, text) AS (
    SELECT 'open', '### open', iif(looked_at, 'What needs a look', '') FROM told
    UNION ALL
    SELECT 'improved', '### improved', CASE WHEN maybe THEN 'Improvements, not confirmed but where it says so'
        WHEN faster THEN 'Largest improvements' ELSE '' END FROM told
    UNION ALL
    SELECT 'statistics', '', printf('Statistics of all %d rows, %d of them faster or the same', rows, rows - looked_at) FROM told
    UNION ALL
    SELECT 'totals', '### totals', iif(lines, 'The whole set', '') FROM told
    UNION ALL
    SELECT 'stages', 'paragraph', iif(lines AND again, printf('Means and times of the set are of the screening, which measures all '
        || 'rows. %d row%s above rest%s on the confirmation alone, and may differ.', again, iif(again = 1, '', 's'),
        iif(again = 1, 's', '')), '') FROM told)
SELECT kind, text FROM said WHERE name = ?2
