-- The head of the claims on run ?1. Their tolerances are mostly one.
WITH own AS (SELECT * FROM runs WHERE run = ?1 AND claims <> ''),
counts AS (SELECT 100 * min(tolerance) AS least, 100 * max(tolerance) AS most FROM findings WHERE run = ?1)
SELECT '## claims' AS kind, iif(imported = '', 'What is claimed, and what was measured', 'What is claimed, and what was published') AS text
FROM own
UNION ALL
SELECT 'paragraph', 'Claims from ' || plain(claims)
    || iif(least IS NULL, '. No kernel has a ratio, so none of them is judged.',
        printf('; tolerance %g%s points. [How a claim is judged](#reading).', least, iif(most > least, printf(' to %g', most), '')))
FROM own, counts
