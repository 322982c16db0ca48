-- The summary lines of the devices side by side (`sides`), those of one line below each other.
SELECT device AS "device||", candidate AS "candidate||text same", mode AS "mode||text same", lens AS "lens||text same",
    baseline AS "baseline||unbroken empty", shapes AS "shapes||count", geomean AS "ratio (95 %)|geomean_ratio|ratio empty",
    low AS geomean_ratio_low, high AS geomean_ratio_high, NULL AS "over shapes|over_shapes|interval data",
    shapes_low AS over_shapes_low, shapes_high AS over_shapes_high, middle AS "median|median_ratio|number data",
    iif(judged, faster, NULL) AS "faster||count empty|no verdicts were given",
    iif(judged, slower, NULL) AS "slower||count empty|no verdicts were given",
    iif(judged, same, NULL) AS "same||count empty|no verdicts were given",
    iif(judged, undecided, NULL) AS "undecided||count empty|no verdicts were given",
    iif(judged, environment, NULL) AS "environment||count zero|no verdicts were given",
    mean AS "paper's mean %|mean|speedup empty", median AS "its median %|median|speedup data",
    sd AS "sd %|sd|share data", wins AS "wins||count data", unrecorded AS "unrecorded||count zero",
    better AS "better of both %|better_of_both|speedup empty files", refused AS "refused||count data",
    left_out AS "with visits left out|left_out|count data", leads AS "leads||count data",
    tflops AS "TFLOP/s|tflops|significant", folder AS "run||code"
FROM sides JOIN lines USING (run) ORDER BY row_number() OVER (PARTITION BY run ORDER BY lines.rowid), sides.rowid
