-- What stands above and below the tables of rows and lines; "" where a table has nothing.
SELECT iif(total(open), 'What needs a look', '') AS open,
    CASE WHEN total(status = 'maybe-faster') THEN 'Improvements, not confirmed but where it says so'
         WHEN total(status = 'faster') THEN 'Largest improvements' ELSE '' END AS improved,
    printf('Statistics of all %d rows, %d of them faster or the same', count(*), total(NOT open)) AS statistics,
    iif((SELECT count(*) FROM lines), 'The whole set', '') AS totals,
    iif((SELECT count(*) FROM lines) AND total(confirmed),
        printf('Means and times of the set are of the screening, which measures all rows. %d row%s '
        || 'above rest%s on the confirmation alone, and may differ.', total(confirmed), iif(total(confirmed) = 1, '', 's'),
        iif(total(confirmed) = 1, 's', '')), '') AS stages
FROM shown_rows
