-- Where a baseline against itself is not 0 to 1 % as the paper counts.
SELECT 'bad' AS kind, printf('%s, %s: **as the paper counts**, a baseline against itself gains %+.1f %% (99.9 %% interval %+.1f to '
    || '%+.1f %%). Means as the paper counts are off by as much; ratios are not.', mode, lens, 100 * paper, 100 * paper_low,
    100 * paper_high) AS text
FROM control_series WHERE run = ?1 AND (paper_low > 0.01 OR paper_high < -0.01) ORDER BY by_lens, by_mode
