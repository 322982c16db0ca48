-- The rows of winners.h, in which names are strings of C.
WITH named AS (
    SELECT m, n, k, iif(kind = 'kernel', ratio, 1) AS ratio, winner || char(10) || "set" AS names FROM winners WHERE library IS NOT NULL)
SELECT printf('    {%d, %d, %d, "%s", %.4f},', m, n, k,
    replace(replace(replace(replace(names, '\', '\\'), '"', '\"'), '?', '\?'), char(10), '", "'), ratio) AS text
FROM named ORDER BY m, n, k
