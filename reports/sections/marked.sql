-- How many times of run ?1 have more than 5 % of their samples marked, and the first 20 of them.
WITH marked AS (
    SELECT shape || ' ' || kernel || ' ' || lens || ' ' || mode || printf(' (%.0f', 100 * marked) || ' %)' AS words,
        row_number() OVER (ORDER BY rowid) AS place
    FROM times WHERE run = ?1 AND marked > 0.05)
SELECT count(*) AS marked, (SELECT group_concat(words, ', ') FROM marked WHERE place <= 20) AS first FROM marked
