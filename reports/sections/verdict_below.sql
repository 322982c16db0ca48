-- What else is known of the first ?2 lines of run ?1 that lead. Of equal kernels an interval of
-- 95 % misses 1 in 5 % of cases, half of them above.
WITH leading AS (
    SELECT *, rowid AS row, (SELECT iif(cards <> '' AND instr(cards, ',') = 0, 'one card (another may differ by more)', 'device')
        FROM runs WHERE run = ?1) AS card
    FROM lines WHERE run = ?1 AND leads ORDER BY rowid LIMIT CAST(?2 AS INTEGER))
SELECT 'paragraph' AS kind, printf('%s, %s:', plain(candidate), plain(mode))
    || iif(low IS NULL, '', ' the interval holds for this ' || card)
    || iif(shapes_low IS NULL, '', iif(low IS NULL, ' an interval', ', one')
        || printf(' over shapes is %.3f to %.3f', shapes_low, shapes_high))
    || iif(low IS NULL AND shapes_low IS NULL, ' there is no interval.', '.')
    || iif(shapes > 1 AND judged > 0, printf(' It is faster on %d of them, slower on %d, the same on %d and undecided on %d.',
        faster, slower, same, undecided)
        || iif(faster + slower = 0, '', printf(' Of equal kernels chance calls at most %.1f faster and as many slower.',
            0.025 * judged)), '')
    || iif(refused = 0, '', printf(' With %d refused kernel%s counted as 1 it is %.3f.', refused, iif(refused = 1, '', 's'),
        with_refused))
    || printf(' The paper''s mean, the arithmetic one of the speedups, is %+.1f %%.', 100 * mean)
    || iif(unrecorded = 0, '', printf(' On %d of the %d shapes the kernel is [unrecorded](#recordings): no device work '
        || 'bounds its number.', unrecorded, shapes)) AS text
FROM leading WHERE geomean IS NOT NULL ORDER BY row
