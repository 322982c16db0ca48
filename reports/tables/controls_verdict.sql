-- The verdict of the controls on the numbers of run ?1, and of failed ones `why`. ?2: the lenses that count, a JSON list; empty:
-- all.
--
-- Failed: in any series, of any kind of control, more intervals miss 1 than chance explains (a chance below 0.001), or the
-- interval of their mean ends too far from 1: two instances of a library lie elsewhere in memory. Or more than 5 % of the
-- planted delays were not seen, or all are vague. None: nothing could be judged. The mean as the paper counts is not judged:
-- no verdict rests on it.
WITH wanted AS (
    SELECT *, row_number() OVER (ORDER BY by_lens, by_mode) AS series FROM control_series
    WHERE run = ?1 AND (json_array_length(?2) = 0 OR lens IN (SELECT value FROM json_each(?2)))),
judged AS (SELECT control_tallies.*, series FROM control_tallies JOIN wanted USING (run, mode, lens)),
faults AS (
    SELECT series, kind AS rank, mode, lens, printf('%d of %d intervals of %s %s 1, where %.1f are to be expected (p = %.1g)',
        missing, intervals, subject, misses, expected, chance) AS fault
    FROM judged WHERE missing > 0 AND chance < 0.001
    UNION ALL
    SELECT series, kind + 0.5, mode, lens, printf('over %d ratios of %s the mean is %.4f (99.9 %% interval %.4f to %.4f)', ratios,
        subject, mean, mean_low, mean_high)
    FROM judged WHERE mean_low > 1 + far OR (mean_high < 1 - far AND misses = 'miss')
    UNION ALL
    SELECT series, 10, mode, lens,
        printf('none of %d planted delays was seen, since all of them scatter too much: give a longer --duration', vague)
    FROM wanted WHERE vague > 0 AND delays = 0
    UNION ALL
    SELECT series, 11, mode, lens, printf('%d of %d planted delays were not seen', delays - seen, delays)
    FROM wanted WHERE delays - seen > 0.05 * delays),
said AS (
    SELECT group_concat(printf('%s, %s: %s', mode, lens, fault), '; ') AS why FROM (SELECT * FROM faults ORDER BY series, rank))
SELECT CASE WHEN why <> '' THEN 'failed'
    WHEN (SELECT total(delays) FROM wanted) + (SELECT total(intervals) FROM judged WHERE kind = 0) > 0 THEN 'passed'
    ELSE 'none' END AS verdict, why
FROM said
