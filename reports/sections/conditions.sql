-- Under what conditions run ?1 was measured: a row a mode. The columns after the first are facts of the page.
SELECT mode, count(*) AS "units (a shape with a candidate)",
    iif(count(disturbed), count(*) FILTER (WHERE disturbed > 0) || '; '
        || printf('%.2f', 100 * avg(disturbed)) || ' % of blocks', NULL) AS "units with disturbed blocks",
    CAST(max(processes) AS INTEGER) AS "most processes at once on the GPU",
    count(*) FILTER (WHERE steady = 'no') AS "units not steady after the warm-up",
    iif(count(sm_mhz_mean), printf('%.0f to %.0f, mean %.0f', min(sm_mhz_min), max(sm_mhz_max), avg(sm_mhz_mean))
        || ' MHz', NULL) AS "SM clock",
    iif(count(memory_mhz_mean), printf('%.0f', avg(memory_mhz_mean)) || ' MHz', NULL) AS "memory clock, mean",
    iif(count(power_w_mean), printf('%.0f, most %.0f', avg(power_w_mean), max(power_w_max)) || ' W', NULL)
        AS "power, mean",
    iif(count(temperature_c_max), printf('%.0f', max(temperature_c_max)) || ' °C', NULL) AS "temperature, most",
    iif(avg(timed_seconds) / avg(wall_seconds) IS NOT NULL,
        printf('%.0f', 100 * avg(timed_seconds) / avg(wall_seconds)) || ' %', NULL)
        AS "share of timing inside timed intervals",
    (SELECT group_concat(throttle || ' (' || units || ')', '; ') FROM (
        SELECT throttle, count(*) AS units FROM conditions WHERE run = ?1 AND mode = all_of.mode AND throttle <> ''
        GROUP BY throttle ORDER BY min(rowid))) AS "throttle reasons seen (units)"
FROM conditions AS all_of WHERE run = ?1 GROUP BY mode ORDER BY min(rowid)
