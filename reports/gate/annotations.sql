-- annotations.txt, workflow commands of GitHub.
--
-- GitHub shows at most ten of each level in a step; the last notice says what is left out. A machine that is not fit tells nothing
-- of the kernels. A file is FOLDER/SOURCE without a leading "./": a path of the repository where the folder was given so. Its line is
-- that of the first error which a compiler has told of the source.
WITH gate AS (
    SELECT *, iif(verdict = 'pass', 'notice', 'error') AS level FROM whole),
levels(nth, level, most) AS (VALUES (1, 'error', 10), (2, 'warning', 10), (3, 'notice', 9)),
folders(folder) AS (
    SELECT folder FROM whole UNION ALL SELECT ltrim(substr(folder, 3), '/') FROM folders WHERE folder GLOB './*'),
folder AS (
    SELECT iif(folder IN ('', '.'), '', folder || iif(folder GLOB '*/', '', '/')) AS folder FROM folders WHERE folder NOT GLOB './*'),
ranked AS (
    SELECT shown_rows.*, row_number() OVER (PARTITION BY shown_rows.level ORDER BY place) + (shown_rows.level = gate.level) AS rank,
        iif(instr(text, source), substr(text, instr(text, source) + length(source)), '') AS behind
    FROM shown_rows, gate WHERE shown_rows.level <> '' AND (verdict <> 'environment' OR status = 'environment')),
lined AS (SELECT *, iif(behind GLOB '[:(]*', max(1, CAST(substr(behind, 2) AS INTEGER)), 1) AS at_line FROM ranked),
more AS (
    SELECT printf('%d more %s%s', max(rank) - most, level, iif(max(rank) > most + 1, 's', '')) AS text
    FROM levels JOIN ranked USING (level) GROUP BY nth HAVING max(rank) > most),
lines(place, text) AS (
    SELECT 0, '::' || level || ' title=gemmgate ' || verdict || '::' || percent(reason, '')
        || ' (exit status ' || exit_status || ')'
    FROM gate
    UNION ALL SELECT place, '::' || level
        || iif(source = '', ' ', ' file=' || percent(folder, ':,') || percent(source, ':,') || ',line=' || at_line || ',')
        || 'title=' || status || ' ' || percent(name, ':,') || iif(mode_lens = '', '', ' ') || percent(mode_lens, ':,') || '::' || says
        || iif(text = '', '', '%0A' || percent(text, '')) || iif(proof = '', '', '%0A' || percent(proof, ''))
    FROM lined JOIN levels USING (level), folder WHERE rank <= most
    UNION ALL SELECT 9e9, '::notice title=gemmgate::' || (SELECT group_concat(text, ', ') FROM more) || '; all are in gate.csv')
SELECT text FROM lines WHERE text IS NOT NULL ORDER BY place
