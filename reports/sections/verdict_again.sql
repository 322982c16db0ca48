-- Of run ?1: whether the controls passed, and whether somebody has measured it twice.
WITH own AS (SELECT * FROM runs WHERE run = ?1),
lead AS (SELECT mode, lens FROM lines WHERE run = ?1 AND leads ORDER BY rowid LIMIT 1)
SELECT 'controls' AS kind, 'passed; [what they are](#trust)' AS text FROM own WHERE controls = 'passed'
UNION ALL
SELECT 'measured again', CASE WHEN alike < 2 THEN iif(imported = '',
        'no: another run may differ by more. Run it again and make the report with `--again RUN2`', '')
    ELSE coalesce((SELECT printf('%s %% of %d intervals by `%s` agree; [how far](#again)', percent, pairs, plain(lens))
            FROM agreement JOIN lead USING (mode, lens) WHERE sizes = 'all' AND pairs > 0),
        '[how far the runs agree](#again)') END
FROM own, lead
UNION ALL
SELECT 'other devices', printf('%d; [beside this one](#again)', count(*) - (SELECT alike FROM own))
FROM runs WHERE run <> '(published)' HAVING count(*) > (SELECT alike FROM own)
