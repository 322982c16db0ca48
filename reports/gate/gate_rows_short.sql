-- What a reviewer needs of rows. ?2: 'open', all that need a look; else the ten largest improvements, the largest first.
SELECT status AS "status||verdict", mood AS status_verdict, shape AS "shape||wide", candidate AS "kernel||code wide",
    name || iif(mode_lens = '', '', ' ' || mode_lens) AS "kernel|name|terminal", ratio AS "ratio|ratio,ci_low,ci_high|ratio terminal",
    ci_low, ci_high, unrecorded AS ratio_unrecorded,
    printf('%.511s', coalesce(nullif(takes || brief(text, 511), ''), says) || iif(left_out_text = '', '', '; ' || left_out_text))
        AS "why||code",
    device_ratio AS "by device||number 3 empty", call_ratio AS "by call||number 3 empty", mode_lens AS "mode.lens||code wide same"
FROM shown_rows WHERE iif(?2 = 'open', open, status IN ('faster', 'maybe-faster'))
ORDER BY iif(?2 = 'open', place, -place) LIMIT iif(?2 = 'open', -1, 10)
