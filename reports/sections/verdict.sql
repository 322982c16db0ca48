-- The findings of run ?1: a sentence with one interval for each line that leads, of the lines ?2 to ?3.
WITH leading AS (SELECT *, row_number() OVER (ORDER BY rowid) AS place FROM lines WHERE run = ?1 AND leads)
SELECT iif(high < 1, 'bad', iif(low > 1, 'good', 'note')) AS kind,
    iif(geomean IS NULL,
        printf('**%s over %s: %+.1f %%** by `%s`, %s: the %s, as the paper counts. '
            || 'These numbers were imported, not measured here.',
            plain(candidate), plain(baseline), 100 * mean, plain(lens), plain(mode),
            iif(shapes = 1, 'speedup of one shape', printf('mean speedup over %d shapes', shapes))),
        printf('**%s has %.3f times the speed of %s** by `%s`, %s: %s%s.',
            iif(candidate = '', 'The candidate', plain(candidate)), geomean, plain(baseline), plain(lens), plain(mode),
            iif(shapes = 1, 'the ratio of one shape', printf('the geometric mean over %d shapes', shapes)),
            iif(low IS NULL, '', printf(', with a 95 %% interval over visits of %.3f to %.3f', low, high)))) AS text
FROM leading WHERE place BETWEEN CAST(?2 AS INTEGER) AND CAST(?3 AS INTEGER) ORDER BY place
