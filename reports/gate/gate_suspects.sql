-- The units that need confirmation, in order, and the seconds that ?1 visits of each take. A row that was refused has no visits of
-- its own: it was visited as often as the run.
SELECT m, n, k, candidate, total(wall_seconds + visits_seconds * (1.0 * ?1 / coalesce(visits, plan ->> '$.visits') - 1)) AS seconds
FROM weighed, asked WHERE suspect GROUP BY m, n, k, candidate ORDER BY min(number)
