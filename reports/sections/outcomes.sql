-- The outcomes that refuse a kernel of run ?1, by severity, and of how many candidates and baselines.
SELECT outcome AS "outcome||", deed AS "meaning|deed|", sum(tested) AS "candidates||count",
    sum(NOT tested) AS "baselines||count"
FROM fates WHERE run = ?1 AND fate = 'refused' GROUP BY outcome ORDER BY severity
