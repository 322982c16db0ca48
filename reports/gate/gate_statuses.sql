-- How many rows there are of each status.
SELECT statuses.status, count(m) AS count FROM statuses LEFT JOIN gate_rows USING (status) GROUP BY severity ORDER BY severity
