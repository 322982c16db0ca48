-- The claims on run ?1 that can be compared (?2 is 'yes'), or the others ('no').
SELECT text AS "claim||", value AS "claimed, %||share", mean AS "measured here, % (95 % interval)|mean|ratio 1 percent",
    iif(imported = '', 'measured here, % (95 % interval)', 'published, %') AS mean_heading, mean_low, mean_high,
    regression AS "by regression, %|regression|ratio 1 percent empty", regression_low, regression_high,
    as_baseline AS "refused as no gain, %|as_baseline|ratio 1 percent empty", as_baseline_low, as_baseline_high,
    as_published AS "refused as published, %|as_published|ratio 1 percent empty", as_published_low, as_published_high,
    printf('%d of %d', measured, of_shapes) AS "shapes||number",
    '**' || verdict || '**' || iif(why = '', '', ': ' || plain(why))
        || iif(verdict = 'differs', printf(' by %+.1f points', apart), '') AS "verdict||verdict marked",
    CASE WHEN verdict IN ('confirmed', 'agrees') THEN 'good' WHEN verdict = 'not confirmed' OR beyond THEN 'bad' END
        AS verdict_verdict,
    lens AS "lens||", candidate AS "candidate||same", source AS "source||same"
FROM findings WHERE run = ?1 AND (verdict <> 'not comparable') = (?2 = 'yes')
