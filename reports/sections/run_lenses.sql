-- The lenses of run ?1's ratios, in their order.
SELECT 'lenses' AS kind, plain(group_concat(lens, ', ')) AS text FROM (
    SELECT DISTINCT lens FROM ratios LEFT JOIN lenses USING (lens) WHERE run = ?1 ORDER BY coalesce(position, 99), lens)
