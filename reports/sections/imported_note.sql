-- That run ?2 (NULL: run ?1) is imported.
SELECT 'bad' AS kind, printf('**%s is imported** (%s): it has no samples, and this machine has checked none of its kernels.',
    iif(?2 IS NULL, 'This run', 'The run there'), plain(imported)) AS text
FROM runs WHERE run = coalesce(?2, ?1) AND imported <> ''
