-- The first point of each new level. `kernels` are their commits between which it changed, as git takes them:
-- "1a2b3c4d..5e6f7a8b"; one where they are the same, "-" for what is not known. `size` is how far it is from no change.
SELECT entry_before AS "last run before|entry_before|unbroken", entry AS "first run after|entry|unbroken",
    iif(kernels = kernels_before, substr(kernels, 1, 8),
        printf('%.8s..%.8s', coalesce(nullif(kernels_before, ''), '-'), coalesce(nullif(kernels, ''), '-'))) AS "kernels||unbroken",
    shape AS "shape||unbroken", size_class(m, n, k) AS "log2(M·N·K)|size_class|", candidate AS "kernel||", mode AS "mode||",
    lens AS "lens||", baseline AS "against||", unrecorded AS "unrecorded||count data", device AS "device||same pages",
    before AS "before||number 4", after AS "after||number 4", unrecorded AS after_unrecorded,
    after / before - 1 AS "change %|change|speedup", max(after / before, before / after) AS size
FROM series JOIN levels ON levels.rowid = at WHERE before IS NOT NULL
ORDER BY iif(?1 = 'largest', size, 0) DESC, at
