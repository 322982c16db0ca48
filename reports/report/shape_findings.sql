-- What the audits of candidate ?3 on shape ?2 of run ?1 found.
SELECT 'item' AS kind, printf('%s, `%s`, in %s: %s', plain(level), plain(finding), plain(part), plain(text)) AS text
FROM audit WHERE run = ?1 AND shape = ?2 AND candidate = ?3 ORDER BY rowid
