-- In what ways kernels are compared with nothing, beside those that failed themselves: "; 2 gone: 64x64x64 mine, 96x96x96 mine".
WITH units AS (
    SELECT CASE WHEN status = 'missing' THEN 1 WHEN why = 'untimed' THEN 5 WHEN why = 'earlier refused' THEN 3 WHEN why <> '' THEN 4
                ELSE 2 END AS how, shape || ' ' || candidate AS name, min(place) AS place
    FROM shown_rows WHERE status = 'missing' OR (link IS NULL AND lens <> '') GROUP BY how, status, m, n, k, candidate),
placed AS (SELECT *, row_number() OVER (PARTITION BY how ORDER BY place) AS number, count(*) OVER (PARTITION BY how) AS count FROM units),
ways(how, word) AS (VALUES (1, 'gone'), (2, 'added'), (3, 'earlier refused'), (4, 'earlier not checked'), (5, 'not timed'))
SELECT printf('; %d %s: ', count, word) || group_concat(name, ', ') || iif(count > 3, printf(' and %d more', count - 3), '') AS text
FROM (SELECT * FROM placed JOIN ways USING (how) WHERE number <= 3 ORDER BY how, number) GROUP BY how ORDER BY how
