-- From now on lines are of what all sides have.
CREATE TEMP VIEW summed AS
SELECT * FROM main.summed WHERE (m, n, k, candidate, lens, mode, baseline) IN common
