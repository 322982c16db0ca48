-- Why a gate cannot judge run ?1, which is loaded: `run` lacks the mode (?2) or the lens (?3) that the policy names, or `confirm` was
-- not to measure what `run` was. A list of its plan may have fewer elements.
WITH this AS (SELECT folder, plan FROM runs WHERE run = ?1),
main AS (SELECT folder, plan FROM runs WHERE run = 'run' AND ?1 = 'confirm'),
timed AS (SELECT rowid AS place, mode FROM times WHERE run = ?1 AND ?2 IN ('', mode)),
without AS (
    SELECT mode FROM timed WHERE mode NOT IN (SELECT mode FROM times WHERE run = ?1 AND lens = ?3) ORDER BY place LIMIT 1),
keys AS (
    SELECT "key" AS place, value AS name
    FROM json_each('["device", "set", "candidates", "previous", "modes", "lenses", "protocol", "shapes", "units"]')),
found(place, text) AS (
    SELECT -2, printf('the policy judges the mode %s, and %.300s was not measured in it: measure with --mode %s, or name another mode '
        || 'in the policy', ?2, folder, ?2)
    FROM this WHERE ?1 = 'run' AND ?2 <> '' AND ?2 NOT IN (SELECT value FROM json_each(plan, '$.modes'))
    UNION ALL
    SELECT -1, printf('the policy judges the lens %s, by which %.300s was not timed%s: measure where that lens is, or name another lens '
        || 'in the policy', ?3, folder, coalesce(' in the mode ' || mode, ''))
    FROM this LEFT JOIN without
    WHERE ?1 = 'run' AND ?3 <> '' AND (mode IS NOT NULL OR ?3 NOT IN (SELECT value FROM json_each(plan, '$.lenses')))
    UNION ALL
    SELECT place, printf('mixed plans: %s of %.200s/plan.json is not what %.200s/plan.json says', name, this.folder, main.folder)
    FROM keys, this, main
    WHERE CASE WHEN json_type(this.plan, '$.' || name) = 'array'
        THEN EXISTS (SELECT 1 FROM json_each(this.plan, '$.' || name)
                     WHERE value NOT IN (SELECT value FROM json_each(main.plan, '$.' || name)))
        ELSE (this.plan -> name) IS NOT (main.plan -> name) END)
SELECT text FROM found ORDER BY place
