-- Times of cutlass_profiler, as its --output=FILE has them: a row an operation and problem. Runtime is the mean of many calls
-- in a row, in milliseconds: the lens stream. D is absent from the files of earlier versions.
--
-- Wanted is a product with A and C row-major. C column-major (not `plain`) is the same work: the product of the transposes,
-- n x m x k, whose A is B' and whose B is A'. Where its first operand lies `across` C, the layout has no name here.
CREATE TEMP TABLE profiled AS
SELECT *, Status = 'success' AND Disposition IN ('passed', 'not_verified') AS passed, C GLOB '*:row' AS plain,
    iif(C GLOB '*:row', A GLOB '*:column', B GLOB '*:row') OR coalesce((C GLOB '*:row') <> (D GLOB '*:row'), 0) AS across
FROM file;

CREATE TEMP TABLE readings AS
SELECT line AS place, iif(plain, m, n) AS m, iif(plain, n, m) AS n, k, Provider AS provider,
    iif(iif(plain, B GLOB '*:row', A GLOB '*:column'), 'nn', 'tn') AS layout, 'stream' AS lens, '' AS cache,
    1e-3 * number(Runtime) AS seconds, Operation AS note,
    iif(passed, NULL, printf('line %d: %.40s, %.40s', line, Disposition, Status)) AS left_out,
    passed AND Disposition = 'not_verified' AS unverified, NULL AS gpu
FROM profiled;

-- A product alone: alpha 1, beta 0, one of a batch, sums as the run has them. The rate that the tool prints beside the time
-- shows the unit of the time, and the operations that they are of the shape. The tool counts adding C, too.
CREATE TEMP TABLE faults AS
WITH wanted AS (
    SELECT 'OperationKind' AS name, 'gemm' AS text, 'products alone are imported' AS why
    UNION ALL VALUES ('alpha', '1', 'profile with --alpha=1'), ('beta', '0', 'profile with --beta=0'),
        ('batch_count', '1', 'profile with --batch_count=1')
    UNION ALL SELECT 'accum', accumulate, 'profile with --accum, or import with --accumulate' FROM asked),
rates AS (
    SELECT *, number(Flops) AS flops_there, 2.0 * m * n * k AS flops_here, 1e-6 * number(Flops) / number(Runtime) AS rate
    FROM profiled)
SELECT line AS at, rank, printf(':%d: column %s: %s', line, name, fault) AS text FROM (
    SELECT line, 1 AS rank, name, printf('''%.40s'' where %s is wanted: %s', cells.text, wanted.text, why) AS fault
    FROM cells JOIN wanted USING (name) WHERE cells.text <> wanted.text
    UNION ALL
    SELECT line, 2, name, fault FROM elements WHERE name IN ('A', 'B', 'C', 'D')
    UNION ALL
    SELECT line, 3, name, printf('''%.40s'': row or column is wanted; leave other layouts out', text)
    FROM cells WHERE name IN ('A', 'B', 'C', 'D') AND substr(text, instr(text, ':')) NOT IN (':row', ':column')
    UNION ALL
    SELECT line, 4, iif(plain, 'A', 'B'),
        printf('''%.40s'' with C ''%.40s'': a first operand that lies across C has no name here; leave the row out',
            iif(plain, A, B), C)
    FROM profiled WHERE across
    UNION ALL
    SELECT line, 5, name, fault FROM times_of WHERE name = 'Runtime'
    UNION ALL
    SELECT line, 6, name, fault FROM numbers WHERE name IN ('Flops', 'GFLOPs')
    UNION ALL
    SELECT line, 7, 'Flops', printf('%.40s operations are not those of this row''s m, n and k, some %.0f', Flops, flops_here)
    FROM rates WHERE flops_there NOT BETWEEN 0.95 * flops_here AND 1.05 * flops_here + 4.0 * m * n
    UNION ALL
    SELECT line, 8, 'Runtime', printf('%s ms are not the %s GFLOPs of this row; wanted are milliseconds', Runtime, GFLOPs)
    FROM rates WHERE NOT abs(rate - number(GFLOPs)) <= 0.05 * number(GFLOPs)
    UNION ALL
    SELECT line, 9, 'Provider', 'is empty; a name is wanted' FROM file WHERE Provider = '')
JOIN profiled USING (line) WHERE passed AND fault IS NOT NULL;
