-- Makes the table `series`: the pairs of all entries against the one library that stands for each series, in order. That is
-- ?1, or (?1 is "") the first of `links`, or the last in the order of reports. `at` is a point's number, `place` its place
-- in its series. `commits` are those of the kernels of the point before and of this one, as git takes them:
-- "1a2b3c4d..5e6f7a8b"; one where they are the same, "-" for what is not known.
CREATE TEMP TABLE series AS
WITH known AS MATERIALIZED (SELECT run, entry, kernels, "key", device FROM entries),
points AS (
    SELECT pairs.*, entry, kernels, "key", device FROM pairs JOIN known USING (run)
    WHERE error IS NOT NULL AND iif(?1 = '', baseline <> 'previous', baseline = ?1)),
chosen AS (
    SELECT points.*, baseline = first_value(baseline) OVER (
            PARTITION BY "key", m, n, k, candidate, mode, lens
            ORDER BY links.position IS NULL, links.position, coalesce(baselines.position, 1000) DESC, baseline DESC)
        AS stands
    FROM points LEFT JOIN baselines USING (baseline) LEFT JOIN links USING (baseline))
SELECT chosen.*, ratio / reach(error, freedom, 1) AS ci_low, ratio * reach(error, freedom, 1) AS ci_high,
    row_number() OVER (ORDER BY "key", m, n, k, candidate, mode, lens, run) AS at,
    dense_rank() OVER (ORDER BY "key", m, n, k, candidate, mode, lens) AS series,
    lag(entry) OVER one AS entry_before, iif(kernels = lag(kernels) OVER one, substr(kernels, 1, 8),
        printf('%.8s..%.8s', coalesce(nullif(lag(kernels) OVER one, ''), '-'), coalesce(nullif(kernels, ''), '-'))) AS commits,
    lag(ratio) OVER one AS ratio_before,
    first_value(ratio) OVER one AS first_ratio, row_number() OVER one AS place,
    lead(1) OVER one IS NULL AS newest
FROM chosen WHERE stands
WINDOW one AS (PARTITION BY "key", m, n, k, candidate, mode, lens ORDER BY run)
ORDER BY at
