-- The shapes of run ?1 that two lenses have timed, and on how many of them one says faster and another slower.
WITH shapes AS (
    SELECT max(verdict = 'faster') AS faster, max(verdict = 'slower') AS slower FROM against WHERE run = ?1
    GROUP BY m, n, k, candidate, mode HAVING count(*) > 1)
SELECT count(*) AS compared, coalesce(sum(faster AND slower), 0) AS opposite FROM shapes
