-- Fills in of run ?1 its controls by mode and lens. A delay that was not seen, while its interval reaches 1 all the same or there
-- is none, is vague: it says neither. `paper`: the mean of A/A as the paper counts, with its 99.9 % interval. It is 0 only as
-- far as times do not scatter: a mean of quotients is not symmetric.
INSERT INTO control_series
WITH told AS (
    SELECT *, control = 'delay' AS delay, control = 'delay' AND verdict = 'missed' AS missed,
        coalesce(ci_low > 1 OR ci_high < 1, 0) AS sure, iif(control = 'aa', speedup, NULL) AS paper
    FROM controls WHERE run = ?1)
SELECT ?1, mode, lens, coalesce(lenses.position, 99), coalesce(modes.position, 99), sum(delay) - sum(missed AND NOT sure), sum(delay) - sum(missed),
    sum(missed AND NOT sure), median(planted), median(found), median(launch), iif(count(paper) > 1, avg(paper), NULL),
    mean_low(paper), mean_high(paper)
FROM told LEFT JOIN lenses USING (lens) LEFT JOIN modes USING (mode) GROUP BY mode, lens
