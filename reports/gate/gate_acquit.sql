-- Fills the table `gate_rows` with what was weighed, in order. Times that cannot be trusted convict no kernel. A text has as
-- many bytes as a detail of checks.csv.
INSERT INTO gate_rows
SELECT number, m, n, k, candidate, source, mode, lens, unrecorded, class, class_place, ordinary, line, link, statuses.status, weighed.why,
    iif(statuses.status = weighed.status, printf('%.511s', text), 'its times would show a slowdown'), reference, ratio, ci_low,
    ci_high, seconds, margin, p, visits, left_out, timed_visits, suspect, confirmed, device_ratio, call_ratio, wall_seconds,
    visits_seconds
FROM weighed, unfit JOIN statuses
    ON statuses.status = iif(unfit.why IS NOT NULL AND weighed.status IN ('slower', 'behind'), 'environment', weighed.status)
ORDER BY severity, ratio IS NULL, ratio, m, n, k, candidate, mode, lens, number
