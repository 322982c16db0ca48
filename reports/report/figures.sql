-- The figures of run ?1: each candidate and lens with its reference library, and what the means of Figure 1 are.
SELECT candidate, lens, max(iif(reference, baseline, '')) AS library,
    printf('%s over %d shape%s', iif(count(geomean), 'geometric mean with its 95 % interval', 'mean as the paper counts'),
        max(shapes), iif(max(shapes) = 1, '', 's')) AS kind
FROM lines WHERE run = ?1 GROUP BY candidate, lens HAVING max(reference) ORDER BY min(rowid)
