-- The figure, where it is drawn, with what stands in its place and below it. Of its rows more is in gate_figure.sql.
WITH drawn AS (SELECT reference <> '' AND margin = 0 AS of_library FROM shown_rows WHERE ratio > 0 ORDER BY place LIMIT 20)
SELECT 'figure' AS kind, 'ratios' AS name, whole.drawn,
    printf('Ratios with their 95 %% intervals; 1 is as fast; %d of %d rows need a look', total(open), count(*)) AS text,
    iif((SELECT count(*) FROM drawn) < 20, 'Every row', 'Each of the 20 rows that come first')
    || ' with its 95 % interval and its margin'
    || iif((SELECT max(of_library) FROM drawn), '. / library: against a library that it must beat', '') AS caption
FROM shown_rows, whole WHERE whole.drawn GROUP BY whole.drawn
