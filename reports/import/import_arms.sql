-- Times and ratios of a tool's readings. An arm is a provider, a library by our name where we have one, with the layout of B
-- where that is told. All but libraries are kernels under test. Of an arm's readings on a shape the fastest counts (`rank`
-- 1): a tool of `many` has one for each operation, and the others have one.
CREATE TEMP TABLE arms AS
WITH providers AS (
    SELECT rowid AS reading, *,
        iif(lower(provider) IN ('torch', 'pytorch', 'torch.matmul'), 'torch-matmul', lower(provider)) AS ours
    FROM readings WHERE left_out IS NULL),
told AS (SELECT *, ours GLOB 'cublas*' OR ours GLOB 'openblas*' OR ours GLOB 'torch-matmul*' AS library FROM providers),
named AS (SELECT *, clean(iif(library, ours, provider) || iif(layout = '', '', '-' || layout), 95) AS arm FROM told)
SELECT m, n, k, m || 'x' || n || 'x' || k AS shape, 2.0 * m * n * k AS flops, arm, library, lens, cache, seconds, place,
    row_number() OVER fastest AS rank, lead(place) OVER fastest AS again, iif(many AND note <> '',
        clean(printf('fastest of %d: %.180s', count(*) OVER (PARTITION BY m, n, k, lens, arm), note), 255), note) AS note
FROM named JOIN lenses USING (lens), asked
WINDOW fastest AS (PARTITION BY m, n, k, lens, arm ORDER BY seconds, reading)
ORDER BY m, n, k, position, arm, rank;

-- No GPU does so many operations a second: a unit is wrong.
INSERT INTO faults
SELECT 0, 0, printf(':%s: %s in %g s: no GPU is as fast; wanted are %s', place, shape, seconds, unit)
FROM arms, asked WHERE flops > 2e16 * seconds
UNION ALL
SELECT 1, 0, printf(':%s: the time of %s on %s stands at %s already; keep one', again, arm, shape, place)
FROM arms, asked WHERE rank = 1 AND again IS NOT NULL AND NOT many;
DELETE FROM arms WHERE rank > 1;

CREATE TEMP TABLE shapes AS SELECT DISTINCT shape FROM arms;

-- The times of a kernel's libraries stand with its own. Libraries without a kernel have no candidate.
INSERT INTO times (m, n, k, candidate, kernel, mode, lens, cache, place, mean, tflops, note)
SELECT a.m, a.n, a.k, coalesce(kernels.arm, ''), a.arm, 'offline', a.lens, a.cache, 'own', a.seconds,
    1e-12 * a.flops / a.seconds, a.note
FROM arms AS a LEFT JOIN arms AS kernels ON kernels.shape = a.shape AND kernels.lens = a.lens AND NOT kernels.library
    AND (a.library OR a.arm = kernels.arm)
ORDER BY coalesce(kernels.rowid, a.rowid), a.library, a.rowid;

INSERT INTO ratios (m, n, k, candidate, baseline, mode, lens, cache, place, speedup, note)
SELECT kernels.m, kernels.n, kernels.k, kernels.arm, libraries.arm, 'offline', kernels.lens, kernels.cache, 'own',
    libraries.seconds / kernels.seconds - 1, 'imported: no samples'
FROM arms AS kernels JOIN arms AS libraries USING (shape, lens) WHERE NOT kernels.library AND libraries.library
ORDER BY kernels.rowid, libraries.rowid;
