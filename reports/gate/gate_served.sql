-- Makes the table `served`: the share of the plan's shapes that have an honest kernel, and which have none: "64x64x64, 64x64x128,
-- 64x64x256 and 5 others".
CREATE TEMP TABLE served AS
WITH shapes AS (SELECT key, value AS shape FROM asked, json_each(plan, '$.shapes')),
bare AS (
    SELECT shape, row_number() OVER (ORDER BY key) AS place, count(*) OVER () AS count FROM shapes
    WHERE shape NOT IN (SELECT m || 'x' || n || 'x' || k FROM units WHERE becomes = 'timed')),
named AS (SELECT iif(place = 1, '', iif(place = count, ' and ', ', ')) || shape AS text FROM bare WHERE place <= 3 ORDER BY place)
SELECT coalesce((SELECT 1.0 * (count(*) - (SELECT count(*) FROM bare)) / nullif(count(*), 0) FROM shapes), 0) AS coverage,
    coalesce((SELECT group_concat(text, '') FROM named), '')
    || coalesce((SELECT printf(' and %d other%s', count - 3, iif(count = 4, '', 's')) FROM bare WHERE place = 4), '') AS unserved
