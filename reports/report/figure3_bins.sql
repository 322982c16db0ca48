-- The quartiles of Figure 3 by size: of run ?1, candidate ?2 and lens ?3, in bins one wide around whole numbers.
WITH points AS (
    SELECT mode, CAST(log2(1.0 * m * n * k) + 0.5 AS INTEGER) AS bin, coalesce(ratio, 1 + speedup) AS ratio
    FROM against WHERE run = ?1 AND candidate = ?2 AND lens = ?3 AND speedup > -1)
SELECT mode, bin AS size, quantile(ratio, 0.25) AS low, quantile(ratio, 0.5) AS ratio, quantile(ratio, 0.75) AS high
FROM points LEFT JOIN modes USING (mode) GROUP BY mode, bin ORDER BY coalesce(modes.position, 99), mode, bin
