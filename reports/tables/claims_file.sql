-- A file of claims: those about the run's set, as `struct claim` has them (claims.h). `asked` says which set that is, and of an import
-- its files; these say it by the names that the release gives them, as in cuda_l2_SET_speedup_offline.csv, or not at all.
CREATE TEMP TABLE claims AS
WITH told AS (
    SELECT *, iif(imported = '', set_name = "set", NOT instr(imported, '_speedup_') OR instr(imported, "set")) AS fits
    FROM file, asked)
SELECT '', text, source, "set", gpu, accumulate, suite, baseline, mode, lens, quantity, number(percent) / 100 AS value,
    number(tolerance) / 100 AS tolerance, number(shapes) AS shapes
FROM told WHERE fits OR NOT EXISTS (SELECT 1 FROM told WHERE fits) ORDER BY line;

CREATE TEMP TABLE faults AS
WITH texts(rank, name, most) AS (VALUES (0, 'set', 95), (1, 'gpu', 63), (2, 'accumulate', 7), (3, 'lens', 95), (4, 'suite', 95),
    (5, 'quantity', 15), (6, 'mode', 95), (7, 'baseline', 95), (8, 'text', 255), (9, 'source', 255)),
ranges(rank, name, least, most) AS (VALUES (10, 'percent', -100.0, 1e6), (11, 'tolerance', 0.0, 100.0), (12, 'shapes', 1.0, 1e6)),
words(name, position, word) AS (
    VALUES ('accumulate', 0, 'f16'), ('accumulate', 1, 'f32'), ('quantity', 0, 'speedup'), ('quantity', 1, 'best'), ('quantity', 2, 'wins')
    UNION ALL SELECT 'lens', position, lens FROM lenses UNION ALL SELECT 'mode', position, mode FROM modes
    UNION ALL SELECT 'baseline', position, baseline FROM baselines),
lists AS (
    SELECT name, group_concat(CASE position WHEN 0 THEN '' WHEN last THEN ' or ' ELSE ', ' END || word, '') AS list
    FROM (SELECT *, max(position) OVER (PARTITION BY name) AS last FROM words ORDER BY name, position) GROUP BY name),
found AS (
    SELECT line, rank, name, CASE
        WHEN text = '' THEN iif(name = 'suite', NULL, 'is empty')
        WHEN length(CAST(text AS BLOB)) > most THEN printf('is longer than %d bytes', most)
        WHEN instr(xml(text), char(0xfffd)) AND NOT instr(text, char(0xfffd)) THEN 'holds bytes that are no UTF-8 text'
        WHEN list IS NOT NULL AND (name, text) NOT IN (SELECT name, word FROM words) THEN printf('''%.60s'' is not %s', text, list) END AS fault
    FROM cells JOIN texts USING (name) LEFT JOIN lists USING (name)
    UNION ALL
    SELECT line, rank, name, CASE
        WHEN fault IS NOT NULL THEN fault
        WHEN number(text) NOT BETWEEN least AND most THEN printf('%g is not from %g to %g', number(text), least, most)
        WHEN name = 'shapes' AND number(text) <> round(number(text)) THEN printf('%g is no whole number', number(text)) END
    FROM numbers JOIN ranges USING (name))
SELECT line AS at, rank, printf(':%d: column %s: %s', line, name, fault) AS text FROM found WHERE fault IS NOT NULL
UNION ALL
SELECT 0, 0, ': holds no claim; a claim is a line' WHERE NOT EXISTS (SELECT 1 FROM file)
UNION ALL
SELECT 9e9, 0, printf(': is about the kernels %s%s, and the run holds %s', (SELECT "set" FROM file ORDER BY line LIMIT 1),
    iif(count(DISTINCT "set") > 1, ' and others', ''), imported)
FROM file, asked WHERE imported <> '' GROUP BY imported
HAVING NOT max(NOT instr(imported, '_speedup_') OR instr(imported, "set"));
