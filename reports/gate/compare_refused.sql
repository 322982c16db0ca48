-- Why a comparison has nothing to show, with its exit status; nothing where rows are compared, or what became of the kernels is all
-- there is to show. ?1: "passed" where none of them failed.
WITH whole AS (
    SELECT folder AS new, (SELECT folder FROM runs WHERE run = 'base') AS old, (SELECT library FROM asked) AS library,
        plan ->> '$.removed[0]' AS removed, json_array_length(plan, '$.removed') AS count,
        json_type(plan, '$.previous') IS 'object' AS against
    FROM runs WHERE run = 'run')
SELECT CASE
    WHEN old IS NULL AND NOT against THEN printf('%s holds no earlier release: it was not made with --against', new)
    WHEN old IS NULL AND count
    THEN printf('%s: no kernel of the earlier set has the name of one of the new set, so that none is compared; %d of the earlier set '
        || 'are not in the new one, the first: %s; a kernel is compared with the one of its file''s name', new, count, removed)
    WHEN old IS NULL
    THEN printf('%s: no kernel was timed beside an earlier one that passed its checks; see %s/checks.csv', new, new)
    WHEN library <> '' THEN printf('--baseline %s: %s and %s have no kernel measured against it; without the option the best library of '
        || 'both is taken', library, old, new)
    ELSE printf('%s and %s have no kernel that both have measured on one shape against one library', old, new) END AS text,
    iif(old IS NULL OR library <> '', 2, 4) AS status
FROM whole, counts WHERE NOT compared AND (old IS NOT NULL OR ?1 = 'passed')
