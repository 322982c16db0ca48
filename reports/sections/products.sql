-- Who made the products that the kernels of run ?1 were compared with.
WITH counts AS (
    SELECT count(*) FILTER (WHERE reference = 'gpu') AS there, count(*) FILTER (WHERE reference = 'cpu') AS here,
        'made on the GPU by a process that loads no kernel, and each checked on the processor: '
        || 'four rows drawn at random in double, the whole by Freivalds'' test' AS how
    FROM fates WHERE run = ?1)
SELECT 'FP32 products to compare with' AS kind, iif(there AND here,
    printf('of %d rows %s; of %d rows made on the processor', there, how, here),
    iif(there, how, iif(here, 'made on the processor', ''))) AS text
FROM counts
