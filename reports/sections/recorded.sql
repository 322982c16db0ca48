-- What is known of the recordings of run ?1: facts, and kernels that could not be recorded.
SELECT shape FROM audit WHERE run = ?1 UNION ALL SELECT shape FROM fates WHERE run = ?1 AND fate = 'unrecorded'
