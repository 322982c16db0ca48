-- The times of run ?1, which is imported: a row for each kernel and library of a shape by a lens.
SELECT shape AS "shape||", kernel AS "kernel||", mode AS "mode||text same", lens AS "lens||text same",
    cache AS "cache||text same", mean AS "time||seconds", tflops AS "TFLOP/s|tflops|significant", note AS "note||text empty"
FROM times LEFT JOIN lenses USING (lens) WHERE run = ?1 GROUP BY m, n, k, kernel, mode, lens
ORDER BY m, n, k, lenses.position, mean
