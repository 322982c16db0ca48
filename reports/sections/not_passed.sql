-- The checks of run ?1 that were not passed.
SELECT shape FROM fates WHERE run = ?1 AND fate NOT IN ('passed', 'unrecorded')
