-- Each shape of run ?1 by size, as samples are drawn: what candidate ?2 has over library ?3 in mode ?4 by lens ?5, and what was
-- published of it, which is of one call on an idle device by the clock that it has. `own` and `published` are the quantity ?6
-- of the speedup; published_mean is that over all that was published, where these are ?7 shapes. A shape where the library is
-- beyond doubt the better of both moves no mean of the better: it is `settled`.
WITH ours AS (
    SELECT m, n, k, speedup, ci_high, row_number() OVER (PARTITION BY m, n, k) AS place FROM ratios
    WHERE run = ?1 AND baseline = ?3 AND mode = ?4 AND lens = ?5 AND candidate = ?2 AND speedup IS NOT NULL),
theirs AS MATERIALIZED (
    SELECT m, n, k, CASE ?6 WHEN 'best' THEN max(0.0, speedup) WHEN 'wins' THEN speedup > 0 ELSE speedup END AS quantity,
        row_number() OVER (PARTITION BY m, n, k) AS place
    FROM ratios WHERE run = '(published)' AND baseline = ?3 AND mode = ?4 AND lens IN ('call', 'wait') AND speedup > -1),
names AS (
    SELECT value AS name, substr(value, instr(value, 'x') + 1) AS rest FROM runs, json_each(plan, '$.shapes') WHERE run = ?1),
shapes AS (
    SELECT CAST(name AS INTEGER) AS m, CAST(rest AS INTEGER) AS n, CAST(substr(rest, instr(rest, 'x') + 1) AS INTEGER) AS k FROM names)
SELECT m, n, k, speedup, CASE ?6 WHEN 'best' THEN max(0.0, speedup) WHEN 'wins' THEN speedup > 0 ELSE speedup END AS own,
    theirs.quantity AS published, coalesce(?6 = 'best' AND speedup <= 0 AND ci_high < 1, 0) AS settled,
    (SELECT iif(count(*) = CAST(?7 AS INTEGER), avg(quantity), NULL) FROM theirs) AS published_mean
FROM shapes LEFT JOIN ours USING (m, n, k) LEFT JOIN theirs USING (m, n, k)
WHERE coalesce(ours.place, 1) = 1 AND coalesce(theirs.place, 1) = 1 ORDER BY m * n * k, m, n, k
