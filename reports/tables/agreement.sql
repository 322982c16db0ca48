-- How far the runs agree: the table `agreement`.
SELECT mode AS "mode||", lens AS "lens||", sizes AS "log2 MNK|sizes|", pairs AS "pairs||count", share AS "agree %|agree|share",
    share_low AS "low %|agree_low|share", share_high AS "high %|agree_high|share", expected AS "expected %|expected|share",
    median_difference AS "median difference %|median_difference|share 2", p90_difference AS "90 % below %|p90_difference|share 2",
    median_combined AS "combined %|median_combined_half_width|share 2", median_half AS "half-width %|median_half_width|share 2",
    excess_sd AS "excess sd %|excess_sd|share 2", opposite AS "faster and slower|opposite|count", changed AS "other words|changed|count"
FROM agreement ORDER BY rowid
