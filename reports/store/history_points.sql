-- The points in order, for the judge.
SELECT series, ratio, error, freedom FROM series ORDER BY at
