-- The warnings of a gate. ?2: those that Markdown shows `first`, the `rest`, or how many `more` there are than the first.
WITH placed AS (SELECT warnings.rowid AS place, text, iif(most, 1 + most / 4, 9e9) AS shown FROM warnings, whole)
SELECT 'item' AS kind, '**warning:** ' || plain(text) AS text FROM placed
WHERE iif(place > shown, 'rest', 'first') = ?2
UNION ALL
SELECT 'item', printf('%d more warnings; all are in `gate.json`', max(place) - shown) FROM placed WHERE ?2 = 'more' AND place > shown
GROUP BY shown
