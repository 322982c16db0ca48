-- junit.xml.
--
-- A test case is a kernel on a shape in a mode. Its name and class are the same whatever became of it: a kernel that was not timed
-- has a case in each mode that is judged. One case more, the first, is the whole gate, since CI shows neither a skipped case nor a
-- property. Behind what became of a case stand why, the numbers and the file, a line each. Seconds have three decimals: Jenkins'
-- schema of a suite allows no more.
WITH gate AS (SELECT verdict, reason, set_name AS "set", start FROM whole),
properties(id, key, value) AS (
    SELECT 0, 'verdict', verdict FROM gate UNION ALL SELECT row_number() OVER (), key, text FROM facts),
cases AS (
    SELECT 0 AS place, 0 AS part, 'verdict' AS name, '' AS class, NULL AS seconds, verdict AS word, reason AS message,
        '' AS lines,
        CASE WHEN verdict = 'pass' THEN 'system-out' WHEN verdict IN ('wrong', 'regression', 'coverage', 'inconclusive') THEN 'failure'
             ELSE 'error' END AS fate
    FROM gate
    UNION ALL
    SELECT shown_rows.place, judged.rowid, name, iif(judged.mode IS NULL, mode_lens, judged.mode || '.' || judged.lens),
        wall_seconds, status, says, iif(text = '', '', xml(text) || char(10)) || iif(proof = '', '', xml(proof) || char(10))
        || iif(source = '', '', xml(source) || char(10)), fate
    FROM shown_rows LEFT JOIN judged ON shown_rows.lens = ''),
counts AS (
    SELECT printf('tests="%d" failures="%d" errors="%d" time="%.3f"', count(*), total(fate = 'failure'), total(fate = 'error'),
        total(seconds)) AS counts, printf('skipped="%d"', total(fate = 'skipped')) AS skipped
    FROM cases),
lines(place, part, text) AS (
    SELECT -5, 0, '<?xml version="1.0" encoding="UTF-8"?>'
    UNION ALL SELECT -4, 0, '<testsuites name="gemmgate" ' || counts || '>' FROM counts
    UNION ALL SELECT -3, 0, ' <testsuite name="gate" ' || counts || ' ' || skipped
        || iif(start = '', '', ' timestamp="' || xml(start) || '"') || '>' FROM counts, gate
    UNION ALL SELECT -2, -1, '  <properties>'
    UNION ALL SELECT -2, id, '   <property name="' || key || '" value="' || xml(value) || '"/>' FROM properties
    UNION ALL SELECT -1, 0, '  </properties>'
    UNION ALL SELECT place, part, '  <testcase name="' || xml(name) || '" classname="' || xml(iif("set" = '', 'gemmgate', "set"))
        || iif(class = '', '', '.') || xml(class) || '"' || iif(seconds IS NULL, '', printf(' time="%.3f"', seconds)) || '>' || char(10)
        || '   <' || fate || iif(fate = 'system-out', '', ' type="' || word || '" message="' || xml(message) || '"') || '>'
        || iif(fate = 'system-out' OR place = 0, word || ': ' || xml(message) || iif(place = 0, '', char(10)), '') || lines
        || '</' || fate || '>' || char(10) || '  </testcase>' FROM cases, gate
    UNION ALL SELECT 9e9, 0, ' </testsuite>' || char(10) || '</testsuites>')
SELECT text FROM lines ORDER BY place, part
