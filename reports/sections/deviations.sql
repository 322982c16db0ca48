-- Of run ?1: how many kernels under test were held against both bounds of the deviation, and came to what.
WITH measured AS (
    SELECT *, outcome = 'deviates' AS deviates, deviation > paper_bound AS is_over FROM fates
    WHERE run = ?1 AND tested AND paper_bound > 0 AND deviation IS NOT NULL)
SELECT count(*) AS measured, count(*) FILTER (WHERE deviates) AS refused,
    count(*) FILTER (WHERE deviates AND is_over) AS refused_over,
    median(iif(deviates, deviation / paper_bound, NULL)) AS middle,
    max(iif(deviates, deviation / paper_bound, NULL)) AS most,
    count(*) FILTER (WHERE is_over AND fate IN ('passed', 'unrecorded')) AS passed_over
FROM measured
