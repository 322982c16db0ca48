-- The first point of each new level.
SELECT entry_before AS "last run before|entry_before|unbroken", entry AS "first run after|entry|unbroken",
    commits AS "kernels||unbroken",
    shape AS "shape||unbroken", size_class(m, n, k) AS "log2(M·N·K)|size_class|", candidate AS "kernel||", mode AS "mode||",
    lens AS "lens||", baseline AS "against||", unrecorded AS "unrecorded||count data", device AS "device||same pages",
    before AS "before||number 4", after AS "after||number 4", unrecorded AS after_unrecorded,
    after / before - 1 AS "change %|change|speedup"
FROM series JOIN levels ON levels.rowid = at WHERE before IS NOT NULL
ORDER BY at
