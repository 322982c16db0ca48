-- How many libraries of run ?1 stand for others on the stage, over all shapes and units.
SELECT 'one arm on the stage' AS kind,
    printf('libraries whose device work is the same: %d arms for %d libraries (`work` in `checks.csv`)', sum(arms), sum(libraries)) AS text
FROM (SELECT count(DISTINCT work) AS arms, count(*) AS libraries FROM checks
      WHERE run = ?1 AND work <> '' AND outcome = 'ok' GROUP BY m, n, k, candidate)
HAVING sum(libraries) > sum(arms)
