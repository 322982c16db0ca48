-- What a policy says of the rows that were `made`: the tables `placed`, the size class of each and the known regression that covers it,
-- the widest of several; and `wanted`, the libraries that each must beat, and whether the run has timed it beside them.
CREATE TEMP TABLE placed AS
WITH classed AS (
    SELECT made.rowid AS row, min(classes.rowid) AS number FROM made JOIN classes ON 1.0 * m * n * k <= largest GROUP BY made.rowid),
covered AS (
    SELECT made.rowid AS row, line, most, row_number() OVER (PARTITION BY made.rowid ORDER BY most DESC, number) AS place
    FROM made JOIN patterns ON m || 'x' || n || 'x' || k GLOB shapes AND label IN ('', candidate))
SELECT classed.row, class, number - 1 AS class_place, margin AS ordinary, coalesce(line, 0) AS line, coalesce(most, 0) AS most
FROM classed JOIN classes ON classes.rowid = number LEFT JOIN covered ON covered.row = classed.row AND covered.place = 1;

CREATE TEMP TABLE wanted AS
SELECT made.rowid AS row, made.*, musts.rowid AS number, musts.baseline, pairs.ratio IS NOT NULL AS measured
FROM made JOIN placed ON placed.row = made.rowid JOIN musts ON musts.classes = 0 OR (musts.classes >> class_place) & 1
    LEFT JOIN pairs ON pairs.run = 'run' AND pairs.m = made.m AND pairs.n = made.n AND pairs.k = made.k
        AND pairs.candidate = made.candidate AND pairs.mode = made.mode AND pairs.lens = made.lens
        AND pairs.baseline = musts.baseline
WHERE made.lens <> '' AND why <> 'unbounded';
