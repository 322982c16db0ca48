-- The figures of run ?1: each candidate and lens with its reference library, what the means of Figure 1 are, and
-- where they are from.
SELECT candidate, lens, place, max(iif(reference, baseline, '')) AS library,
    printf('%s over %d shape%s', iif(count(geomean), 'geometric mean with its 95 % interval', 'mean as the paper counts'),
        max(lines.shapes), iif(max(lines.shapes) = 1, '', 's')) AS kind
FROM lines JOIN runs USING (run) WHERE run = ?1 GROUP BY candidate, lens HAVING max(reference) ORDER BY min(lines.rowid)
