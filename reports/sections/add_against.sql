-- Adds to `against` the ratios of run ?1 to the reference library of their lens.
INSERT INTO against
SELECT ratios.* FROM ratios JOIN lines USING (run, candidate, mode, lens, baseline) WHERE run = ?1 AND lines.reference
