-- Makes the table `agree_counted`, of every two of ?1 runs (`alike`): pairs of rows with an interval in both, pairs without,
-- and rows that one of both has alone.
CREATE TABLE agree_counted AS
WITH ends AS (SELECT * FROM ratios WHERE ratio > 0),
pairs AS (
    SELECT count(*) AS pairs, sum(a.ci_low * a.ci_high * b.ci_low * b.ci_high IS NULL) AS unknown
    FROM ends AS a JOIN ends AS b USING (m, n, k, candidate, baseline, mode, lens) WHERE a.run < b.run)
SELECT CAST(?1 AS INTEGER) AS alike, pairs - coalesce(unknown, 0) AS known, coalesce(unknown, 0) AS unknown,
    (SELECT sum(CAST(?1 AS INTEGER) - 1 - CAST(run AS INTEGER)) FROM ends) - pairs AS former,
    (SELECT sum(CAST(run AS INTEGER)) FROM ends) - pairs AS latter
FROM pairs
