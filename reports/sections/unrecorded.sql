-- The unrecorded kernels of run ?1.
SELECT shape AS "shape||", candidate AS "candidate||data", kernel AS "kernel||", detail AS "why|detail|"
FROM fates WHERE run = ?1 AND fate = 'unrecorded' ORDER BY row
