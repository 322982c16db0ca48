-- How many lines of run ?1 lead beside the first ?2.
SELECT 'paragraph' AS kind, printf('The [table](#tables) has %d more.', count(*) - ?2) AS text
FROM lines WHERE run = ?1 AND leads HAVING count(*) > CAST(?2 AS INTEGER)
