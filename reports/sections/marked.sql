-- How many times of run ?1 have more than 5 % of their samples marked, and the first 20 of them.
WITH marked AS (
    SELECT shape || ' ' || kernel || ' ' || lens || ' ' || mode || printf(' (%.0f', 100 * marked) || ' %)' AS words,
        row_number() OVER (ORDER BY rowid) AS place
    FROM times WHERE run = ?1 AND marked > 0.05)
SELECT 'paragraph' AS kind, printf('Times with more than 5 %% of samples marked, since the call waits for the device or '
    || 'its launch outlasted the hold: %d of %d%s%s. No number includes a marked sample.',
    count(*), (SELECT count(*) FROM times WHERE run = ?1),
    coalesce(': ' || plain((SELECT group_concat(words, ', ') FROM marked WHERE place <= 20)), ''),
    iif(count(*) > 20, ', … (`times.csv` has all)', '')) AS text
FROM marked
