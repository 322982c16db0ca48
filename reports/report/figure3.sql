-- Figure 3 of run ?1, candidate ?2 and lens ?3: each shape's ratio to the reference library by size, log2(M*N*K).
SELECT mode, log2(1.0 * m * n * k) AS size, coalesce(ratio, 1 + speedup) AS ratio,
    coalesce(ci_low, ratio, 1 + speedup) AS low, coalesce(ci_high, ratio, 1 + speedup) AS high
FROM against LEFT JOIN modes USING (mode)
WHERE run = ?1 AND candidate = ?2 AND lens = ?3 AND speedup > -1
ORDER BY coalesce(modes.position, 99), mode
