-- Fills in of run ?1 its controls of each kind, by mode and lens: how many intervals miss 1, how many are to be expected, the
-- chance of so many or more; and the mean of the ratios, geometric (of delays arithmetic), with its 99.9 % interval: what
-- favours an arm a little at every shape shows there and nowhere else.
--
-- A row's `chance` is that its interval misses 1 although the truth is as far off as the margin allows, which is where most
-- would. An autotuned library (`autotune`) may be faster than its first suggestion by any amount. NULL: it has no interval.
INSERT INTO control_tallies
WITH halves AS (
    SELECT *, (ci_high - ci_low) / 2 AS half_width, control_margin(control) AS margin,
        iif(control = 'delay', ratio, ln(ratio)) AS estimate,
        iif(control = 'delay', ci_high - ci_low, ln(ci_high / ci_low)) / 2 AS half
    FROM controls WHERE run = ?1),
chances AS (
    SELECT *, CASE WHEN error > 0 THEN (student(half / error, freedom)
            + iif(control = 'autotune', 0, student((half + 2 * margin) / error, freedom))) / 2
        WHEN half IS NOT NULL THEN 0.0 END AS chance
    FROM halves),
kinds (control, kind, name, subject, far, misses) AS (VALUES
    ('aa', 0, 'A/A', 'a baseline against itself', 0.01, 'miss'),
    ('across', 1, 'across processes', 'a baseline over another in the first visits against the same in the last', 0.01, 'miss'),
    ('autotune', 2, 'autotuned', 'an autotuned library over its own first suggestion', 0.01, 'lie above'),
    ('delay', 3, 'delay', 'seconds found against seconds planted', 0.02, 'miss')),
sums AS (
    SELECT mode, lens, control, count(chance) AS intervals, sum(verdict = 'off') AS missing, total(chance) AS expected,
        coalesce(at_least(chance, verdict = 'off'), 1.0) AS chance, count(estimate) AS ratios,
        iif(count(estimate) > 1, avg(estimate), NULL) AS mean, mean_low(estimate) AS low, mean_high(estimate) AS high,
        median(half_width) AS half_width, max(half_width) AS widest
    FROM chances GROUP BY mode, lens, control)
SELECT ?1, mode, lens, kind, name, subject, far, misses, intervals, missing, expected, chance, ratios,
    iif(control = 'delay', mean, exp(mean)), iif(control = 'delay', low, exp(low)), iif(control = 'delay', high, exp(high)),
    half_width, widest
FROM sums JOIN kinds USING (control)
