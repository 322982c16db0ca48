-- Each kind of control of run ?1, by mode and lens.
SELECT lens AS "lens||", mode AS "mode||", name AS "control||", intervals AS "intervals||count", missing AS "miss 1||count",
    expected AS "expected||number 1", chance AS "p||number 3", mean AS "mean||number 4",
    NULL AS "99.9 % interval||interval 4", mean_low AS "99.9 % interval_low", mean_high AS "99.9 % interval_high",
    half_width AS "half-width ±, median||share 2 %", widest AS "largest||share 2 %"
FROM control_tallies JOIN control_series USING (run, mode, lens) WHERE run = ?1 AND intervals + ratios > 0
ORDER BY by_lens, by_mode, kind
