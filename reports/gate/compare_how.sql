-- How a comparison was made, where rows are compared.
WITH planned AS (SELECT value FROM asked, json_each(plan, '$.shapes')),
elsewhere AS (
    SELECT count(*) AS count FROM (
        SELECT DISTINCT m, n, k, candidate FROM pairs WHERE run = 'base' AND shape NOT IN planned))
SELECT 'paragraph' AS kind, 'The ratio is the time of the old release / the time of the new one: **above 1 the new one is faster**.' AS text
UNION ALL
SELECT 'paragraph', iif(stored,
    'Old and new were timed in **two runs** and are compared through the baseline `' || plain(link)
    || '`, which both runs have timed, or through that which the row names: the ratio is (baseline / new, in the new run) / '
    || '(baseline / old, in the old run). What changed between the runs cancels as far as it moved the baseline and the kernels '
    || 'alike. Two releases as arms of one run (`gemmgate compare OLD-SET NEW-SET --suite NAME -o RUN`) are compared more sharply.',
    'Old and new were arms of the same blocks of one run: what disturbed the machine met both.')
FROM asked, (SELECT link FROM gate_rows WHERE link IS NOT NULL ORDER BY rowid LIMIT 1)
UNION ALL
SELECT 'paragraph', iif(stored AND count, printf('Not compared: %d kernels of the old run on shapes that the new run was not asked for.',
    count), '')
FROM asked, elsewhere
