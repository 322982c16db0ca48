-- The faults of a CSV file's fields (`cells`, form.h) as numbers.
CREATE TEMP VIEW numbers AS
SELECT cells.*, CASE
    WHEN text = '' THEN 'is empty; a number is wanted'
    WHEN number(text) IS NULL THEN printf('''%.60s'' is no finite decimal number', text) END AS fault
FROM cells;
