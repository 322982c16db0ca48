-- The lines of `published_lines`.
SELECT candidate AS "candidate||", lens AS "lens||", mode AS "mode||", baseline AS "baseline||", shapes AS "shapes||count",
    lens_there AS "lens there||", mean_there AS "mean % there||speedup", mean_here AS "mean % here||speedup",
    rank AS "order||number 2", quotient AS "quotient||number 3", near AS "near||count", both AS "faster in both||count",
    only_there AS "only there||count", only_here AS "only here||count", neither AS "in neither||count",
    others AS "others||count", their_mean AS "their mean %||speedup"
FROM published_lines ORDER BY rowid
