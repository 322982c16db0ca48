-- Makes the table `published_lines`: the speedups of run ?1 beside those of run ?2 of the same shapes, over the main
-- baselines. Names of candidates matter where ?2 has several. Where ?2 has none by `call`, those by `wait` stand there, and
-- the other way round.
CREATE TABLE published_lines AS
WITH main AS (
    SELECT *, (SELECT count(DISTINCT candidate) FROM ratios WHERE run = ?2 AND speedup > -1) = 1 AS one FROM ratios
    WHERE run IN (?1, ?2) AND speedup > -1 AND baseline IN ('torch-matmul', 'cublas-max', 'cublaslt-heuristic-max',
        'cublaslt-autotune-max', 'openblas-max')),
lines AS (
    SELECT ours.candidate, ours.lens, ours.mode, ours.baseline,
        coalesce(max(iif(theirs.lens = ours.lens, theirs.lens, NULL)), max(theirs.lens)) AS lens_there
    FROM (SELECT DISTINCT candidate, lens, mode, baseline FROM main WHERE run = ?1) AS ours
        JOIN (SELECT DISTINCT candidate, lens, mode, baseline, one FROM main WHERE run = ?2) AS theirs
            ON theirs.mode = ours.mode AND theirs.baseline = ours.baseline
            AND (theirs.one OR theirs.candidate = ours.candidate)
            AND (theirs.lens = ours.lens OR ours.lens IN ('call', 'wait') AND theirs.lens IN ('call', 'wait'))
    GROUP BY ours.candidate, ours.lens, ours.mode, ours.baseline),
shapes AS (
    SELECT lines.*, theirs.speedup AS there, ours.speedup AS here, (1 + ours.speedup) / (1 + theirs.speedup) AS quotient
    FROM lines JOIN main AS theirs ON theirs.run = ?2 AND theirs.mode = lines.mode AND theirs.lens = lens_there
            AND theirs.baseline = lines.baseline AND (theirs.one OR theirs.candidate = lines.candidate)
        LEFT JOIN main AS ours ON ours.run = ?1 AND ours.candidate = lines.candidate AND ours.mode = lines.mode
            AND ours.lens = lines.lens AND ours.baseline = lines.baseline
            AND (ours.m, ours.n, ours.k) = (theirs.m, theirs.n, theirs.k))
SELECT candidate, lens, mode, baseline, count(here) AS shapes, lens_there,
    avg(iif(here IS NULL, NULL, there)) AS mean_there, avg(here) AS mean_here, rank_correlation(there, here) AS rank,
    median(quotient) AS quotient, count(iif(quotient BETWEEN 1 / 1.1 AND 1.1, 1, NULL)) AS near,
    count(iif(there > 0 AND here > 0, 1, NULL)) AS both, count(iif(there > 0 AND here <= 0, 1, NULL)) AS only_there,
    count(iif(there <= 0 AND here > 0, 1, NULL)) AS only_here, count(iif(there <= 0 AND here <= 0, 1, NULL)) AS neither,
    count(*) - count(here) AS others, avg(iif(here IS NULL, there, NULL)) AS their_mean
FROM shapes LEFT JOIN lenses USING (lens)
    LEFT JOIN modes USING (mode) LEFT JOIN baselines USING (baseline)
GROUP BY candidate, lens, mode, baseline HAVING count(here) > 0
ORDER BY candidate, lenses.position, lens, modes.position, mode, baselines.position, baseline
