-- The lines of run ?1 that lead.
SELECT candidate, mode, lens, baseline FROM lines WHERE run = ?1 AND leads ORDER BY rowid
