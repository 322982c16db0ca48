-- How many kernels of run ?1 are unrecorded.
SELECT 'paragraph' AS kind, printf('Unrecorded: %d kernel%s on shapes. They passed the checks, and have numbers by `call` and `wait` alone. '
    || 'They are not accused.', count(*), iif(count(*) = 1, '', 's')) AS text
FROM fates WHERE run = ?1 AND fate = 'unrecorded' HAVING count(*) > 0
