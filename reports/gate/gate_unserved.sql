-- The shapes of the plan without an honest kernel, and how many there are.
SELECT value AS shape, count(*) OVER () AS count FROM asked, json_each(plan, '$.shapes')
WHERE value NOT IN (SELECT m || 'x' || n || 'x' || k FROM units WHERE becomes = 'timed')
ORDER BY key
