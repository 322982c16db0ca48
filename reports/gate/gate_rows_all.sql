-- Every number of each row: gate.csv, and for people folded away.
SELECT status AS "status||verdict", mood AS status_verdict, shape AS "shape||wide", m AS "m||count data", n AS "n||count data",
    k AS "k||count data", candidate AS "kernel|candidate|code", source AS "source||data", mode_lens AS "mode.lens||code wide",
    mode AS "mode||data", lens AS "lens||data", unrecorded AS "unrecorded||count data", reference AS "against|reference|code",
    class AS "size_class||data", ratio AS "ratio|ratio,ci_low,ci_high|ratio", ci_low, ci_high, unrecorded AS ratio_unrecorded,
    reference_seconds AS "mean of reference|reference_seconds|seconds", seconds AS "mean now|seconds|seconds",
    unrecorded AS seconds_unrecorded, 100 * margin AS "margin %||significant wide", margin AS "margin||number data",
    p AS "p||significant 2", visits AS "visits||number", left_out AS "left_out||number data",
    left_out_text AS "left out||wide empty", device_ratio AS "device_ratio||number data", call_ratio AS "call_ratio||number data",
    wall_seconds AS "wall_seconds||number data", stage AS "stage||data", decided AS "decided by|decided_by|code",
    text AS "text||code data"
FROM shown_rows ORDER BY place
