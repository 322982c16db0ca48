-- The figures of run ?1, with what they show for who cannot see them: Figure 3 of the first line that leads stands beside the
-- verdict (?2 is 'first'), the others ('further') stand apart.
WITH lead AS (SELECT candidate, lens FROM lines WHERE run = ?1 AND leads ORDER BY rowid LIMIT 1),
main AS (SELECT min(figures.rowid) AS at FROM figures JOIN lead USING (candidate, lens) WHERE name LIKE 'figure3-%')
SELECT 'figure' AS kind, name, title AS caption, drawn, title || coalesce((
    SELECT group_concat(printf('; %s: %.3f times the speed of %s, faster on %d shapes, slower on %d, the same on %d, '
        || 'undecided on %d', mode, geomean, baseline, faster, slower, same, undecided), '')
    FROM lines WHERE run = ?1 AND (lines.candidate, lines.lens) = (figures.candidate, figures.lens)
        AND reference AND geomean IS NOT NULL), '') AS text
FROM figures, main WHERE (figures.rowid IS at) = (?2 = 'first') ORDER BY figures.rowid
