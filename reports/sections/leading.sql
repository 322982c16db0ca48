-- The lines of run ?1 that lead.
SELECT candidate, mode, lens, baseline, printf('%s over %s, %s', candidate, baseline, mode) AS title,
    coalesce(nullif(element, ''), 'f16') AS element
FROM lines JOIN runs USING (run) WHERE run = ?1 AND leads ORDER BY lines.rowid
