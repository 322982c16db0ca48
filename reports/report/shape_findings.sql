-- What the audits of candidate ?3 on shape ?2 of run ?1 found.
SELECT level, finding, part, text FROM audit WHERE run = ?1 AND shape = ?2 AND candidate = ?3 ORDER BY rowid
