-- What a call of each arm of candidate ?3 on shape ?2 of run ?1 is made of.
SELECT kernel AS kind, plain(variant) AS text FROM checks WHERE run = ?1 AND shape = ?2 AND candidate = ?3 AND variant <> '' ORDER BY rowid
