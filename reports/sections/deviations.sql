-- Of run ?1: how many kernels under test were held against both bounds of the deviation, and came to what.
WITH measured AS (
    SELECT *, outcome = 'deviates' AS deviates, deviation > paper_bound AS is_over FROM fates
    WHERE run = ?1 AND tested AND paper_bound > 0 AND deviation IS NOT NULL),
counts AS (
    SELECT count(*) AS measured, count(*) FILTER (WHERE deviates) AS refused,
        count(*) FILTER (WHERE deviates AND is_over) AS refused_over,
        median(iif(deviates, deviation / paper_bound, NULL)) AS middle,
        max(iif(deviates, deviation / paper_bound, NULL)) AS most,
        count(*) FILTER (WHERE is_over AND fate IN ('passed', 'unrecorded')) AS passed_over
    FROM measured)
SELECT 'paragraph' AS kind, 'The paper lets a kernel be as far from an FP32 product as the library that is farthest. '
    || 'The bound here is wider: it allows for chance and for the last rounding. '
    || refused || ' of ' || measured || ' kernels are refused for their deviation (`deviates`).'
    || iif(refused, printf(' %d of these fail the paper''s bound, too. They are off by %.2f times that bound (median), and by up to %.2f times.',
        refused_over, middle, most), '')
    || iif(passed_over, ' ' || passed_over || ' passed here and fail the paper''s bound.', '') AS text
FROM counts WHERE refused + passed_over > 0
