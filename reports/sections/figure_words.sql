-- What candidate ?2 of run ?1 came to by lens ?3, for who cannot see a figure of it.
SELECT coalesce(group_concat(printf('; %s: %.3f times the speed of %s, faster on %d shapes, slower on %d, the same on %d, '
    || 'undecided on %d', mode, geomean, baseline, faster, slower, same, undecided), ''), '') AS words
FROM lines WHERE run = ?1 AND candidate = ?2 AND lens = ?3 AND reference AND geomean IS NOT NULL
