-- How many checks of run ?1 came to what, and by whom the products were made that C was compared with.
SELECT count(*) AS checks, count(*) FILTER (WHERE fate = 'refused') AS refused,
    count(*) FILTER (WHERE fate = 'unrecorded') AS unrecorded,
    count(*) FILTER (WHERE fate = 'unsupported') AS unserved,
    count(*) FILTER (WHERE fate IN ('not built', 'without memory')) AS lacking,
    count(*) FILTER (WHERE reference = 'gpu') AS by_gpu, count(*) FILTER (WHERE reference = 'cpu') AS by_cpu
FROM fates WHERE run = ?1
