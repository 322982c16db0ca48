-- The units that need confirmation, as ids of plan.json, in order; and the seconds that ?1 visits of one take in the mean. A row that
-- was refused has no visits of its own: it was visited as often as the run.
SELECT m || 'x' || n || 'x' || k || iif(candidate = '', '', '.' || candidate) AS id,
    avg(total(wall_seconds + visits_seconds * (1.0 * ?1 / coalesce(visits, plan ->> '$.visits') - 1))) OVER () AS seconds
FROM weighed, asked WHERE suspect GROUP BY m, n, k, candidate ORDER BY min(number)
