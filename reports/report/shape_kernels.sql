-- The kernels under test of run ?1 on shape ?2. The columns after the first are facts of the page.
SELECT candidate, source, claimed AS "accumulator claimed", seen AS "accumulator seen",
    iif(deviation IS NULL, NULL, printf('%.3g', deviation)) AS "largest deviation from the FP32 product",
    iif(bound IS NULL, NULL, printf('%.3g', bound)) AS "deviation that is allowed",
    iif(coarse IS NULL, NULL, printf('%.2f', 100 * coarse) || ' %') AS "entries over 1.5 last places off",
    iif(padding_share IS NULL, NULL, printf('%.2f', 100 * padding_share) || ' %') AS "operations that are padding",
    layout AS "copy of B that it reads",
    iif(setup_seconds > 0, printf('%.4g', 1e3 * setup_seconds) || ' ms', NULL) AS setup,
    iif(first_call_seconds > 0, printf('%.4g', 1e3 * first_call_seconds) || ' ms', NULL) AS "first call", note
FROM fates WHERE run = ?1 AND shape = ?2 AND tested ORDER BY row
