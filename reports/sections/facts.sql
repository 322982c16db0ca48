-- What the audits of run ?1 found, what refuses a kernel first: of how many kernels on shapes, and the first of them.
WITH found AS (
    SELECT *, level = 'refused' AS refuses,
        row_number() OVER (PARTITION BY level, finding, part ORDER BY m, n, k, candidate, kernel, rowid) AS place
    FROM audit WHERE run = ?1)
SELECT finding AS "fact|finding|code", level AS "level||verdict faster", part AS "in|part|",
    count(DISTINCT shape || ' ' || candidate || ' ' || kernel) AS "kernels||count",
    max(iif(place = 1, shape || ' ' || kernel || ': ' || text, NULL)) AS "for example|example|"
FROM found GROUP BY refuses, finding, part ORDER BY refuses DESC, finding, part
