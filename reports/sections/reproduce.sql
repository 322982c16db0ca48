-- How to do run ?1 again: the commands that made the run and the page. The seed that was drawn stands behind the words of
-- command.json where they give none.
WITH own AS (SELECT *, plan ->> 'imported' AS source FROM runs WHERE run = ?1),
words AS (SELECT key, iif(type = 'text', value, '') AS word FROM own, json_each(command, '$.words')),
measures AS (
    SELECT 'gemmgate ' || coalesce(command ->> 'command', '')
        || coalesce((SELECT group_concat(' ' || quoted(word), '') FROM words), '')
        || iif(EXISTS (SELECT 1 FROM words WHERE word = '--seed' OR word LIKE '--seed=%'), '',
            ' --seed ' || quoted(coalesce(plan ->> 'seed', ''))) AS command
    FROM own WHERE command IS NOT NULL),
sources AS (
    SELECT value ->> 'mode' AS mode, coalesce(value ->> 'name', '') AS name FROM own, json_each(manifest, '$.sources')),
imports AS (
    SELECT 'gemmgate import ' || quoted(source)
        || coalesce((SELECT group_concat(iif(mode <> '' AND name <> '', ' --' || mode, '') || ' ' || quoted(name), '') FROM sources), '')
        || iif(plan ->> 'element' = 'bf16', ' --element bf16', '') || iif(plan ->> 'accumulate' = 'f16', ' --accumulate f16', '')
        AS command
    FROM own WHERE own.command IS NULL AND source IS NOT NULL),
others AS (SELECT quoted(folder) AS folder FROM runs WHERE run NOT IN (?1, '(published)') ORDER BY rowid),
made AS (SELECT command FROM measures UNION ALL SELECT command FROM imports)
SELECT 'paragraph' AS kind, iif(NOT EXISTS (SELECT 1 FROM made), 'The run does not hold the command that it was made with.',
    printf('These commands %s and make this page:', iif(source IS NULL, 'measure', 'import'))) AS text FROM own
UNION ALL
SELECT 'code', made.command || ' -o RUN' || char(10) || 'gemmgate report RUN'
    || iif(claims = '', '', ' --claims ' || quoted(claims)) || iif(published = '', '', ' --published ' || quoted(published))
    || coalesce(' --again ' || (SELECT group_concat(folder, ' ') FROM others), '')
FROM made, own
