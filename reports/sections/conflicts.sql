-- Of run ?1: on how many shapes that two lenses have timed one says faster and another slower, and which.
WITH shapes AS (
    SELECT max(verdict = 'faster') AS faster, max(verdict = 'slower') AS slower FROM against WHERE run = ?1
    GROUP BY m, n, k, candidate, mode HAVING count(*) > 1),
opposite AS (
    SELECT one.lens AS faster, other.lens AS slower, count(*) AS shapes
    FROM against AS one JOIN against AS other USING (run, m, n, k, candidate, mode)
    JOIN lenses AS first ON first.lens = one.lens JOIN lenses AS second ON second.lens = other.lens
    WHERE run = ?1 AND one.verdict = 'faster' AND other.verdict = 'slower'
    GROUP BY one.lens, other.lens ORDER BY first.position, second.position)
SELECT 'lenses' AS kind, printf('one says faster and one slower on %d of %d shapes', sum(faster AND slower), count(*))
    || coalesce((SELECT group_concat(printf('; %d faster by `%s`, slower by `%s`', shapes, plain(faster), plain(slower)), '')
        FROM opposite), '') AS text
FROM shapes HAVING count(*) > 0
