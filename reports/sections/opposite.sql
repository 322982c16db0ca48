-- Of run ?1: on how many shapes one lens says faster and another slower, by lens.
SELECT one.lens AS faster, other.lens AS slower, count(*) AS shapes
FROM against AS one JOIN against AS other USING (run, m, n, k, candidate, mode)
JOIN lenses AS first ON first.lens = one.lens JOIN lenses AS second ON second.lens = other.lens
WHERE run = ?1 AND one.verdict = 'faster' AND other.verdict = 'slower'
GROUP BY one.lens, other.lens ORDER BY first.position, second.position
