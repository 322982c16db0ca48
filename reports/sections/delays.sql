-- The planted delays of run ?1, and its A/A controls as the paper counts.
SELECT lens AS "lens||", mode AS "mode||", seen || ' of ' || delays AS "delays seen||number", vague AS "in too much noise||count",
    planted AS "planted µs||number 2 micro", found AS "found µs||number 2 micro", launch AS "launch of a delay µs||number 2 micro",
    paper AS "A/A mean, as the paper counts %||speedup 2"
FROM control_series WHERE run = ?1 ORDER BY by_lens, by_mode
