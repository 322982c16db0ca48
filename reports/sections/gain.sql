-- Of run ?1 and each candidate and mode: by how much more time the reference library takes, by size of the product and
-- over all. What the lens `call` shows beyond `device` is the launch.
WITH both AS (
    SELECT candidate, mode, baseline, call.ratio AS call, device.ratio AS device,
        size_class(m, n, k) AS class, m * n * k AS size,
        call.verdict = 'faster' AND device.verdict <> 'faster' AS by_call_alone
    FROM against AS call JOIN ratios AS device USING (run, m, n, k, candidate, mode, baseline)
    WHERE run = ?1 AND call.lens = 'call' AND device.lens = 'device' AND call.ratio > 0 AND device.ratio > 0),
groups AS (SELECT *, 0 AS whole FROM both UNION ALL SELECT *, 1 FROM both)
SELECT candidate AS "candidate||text same", mode AS "mode||text same", baseline AS "over|baseline|text same",
    iif(whole, 'all', class) AS "log2 MNK|sizes|",
    count(*) AS "shapes||count", geomean(call) - 1 AS "call: all %|call|speedup",
    geomean(device) - 1 AS "device: kernel %|device|speedup",
    geomean(call / device) - 1 AS "the rest: launch %|launch|speedup",
    sum(by_call_alone) AS "faster by call alone|by_call_alone|count"
FROM groups GROUP BY candidate, mode, baseline, whole, iif(whole, '', class)
ORDER BY candidate, mode, baseline, whole, min(size)
