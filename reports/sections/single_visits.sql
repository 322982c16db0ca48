-- How many ratios of run ?1 are of one visit, and all.
SELECT count(*) FILTER (WHERE visits = 1) AS single, count(*) AS ratios FROM ratios WHERE run = ?1
