-- The first point of each new level. `kernels` are their commits between which it changed, as git takes them:
-- "1a2b3c4d..5e6f7a8b"; one where they are the same, "-" for what is not known. `size` is how far it is from no change.
SELECT entry_before, entry, shape, size_class(m, n, k) AS size_class, candidate AS kernel, mode, lens, baseline AS against, unrecorded, before, after,
    unrecorded AS after_unrecorded, device, after / before - 1 AS change, max(after / before, before / after) AS size,
    iif(kernels = kernels_before, substr(kernels, 1, 8),
        printf('%.8s..%.8s', coalesce(nullif(kernels_before, ''), '-'), coalesce(nullif(kernels, ''), '-'))) AS kernels
FROM series JOIN levels ON levels.rowid = at WHERE before IS NOT NULL
ORDER BY iif(?1 = 'largest', size, 0) DESC, at
