-- The unrecorded kernels of run ?1.
SELECT shape, candidate, kernel, detail FROM fates WHERE run = ?1 AND fate = 'unrecorded' ORDER BY row
