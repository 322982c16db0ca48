-- The first place where the plans ?1 and ?2 differ, and what stands there, but for fields of which ?3 is the list. Places are in the
-- order of the first plan; behind those of a field come places of it that the second plan alone has.
WITH here AS MATERIALIZED (
    SELECT field.id AS field, field.key AS name, node.fullkey AS place, node.id AS number, node.type, node.atom
    FROM json_each(?1) AS field, json_tree(?1, field.fullkey) AS node),
there AS MATERIALIZED (
    SELECT field.key AS name, node.fullkey AS place, node.id AS number, node.type, node.atom
    FROM json_each(?2) AS field, json_tree(?2, field.fullkey) AS node),
found AS (
    SELECT here.name, field, 0 AS added, here.number, place FROM here LEFT JOIN there USING (place)
    WHERE here.type IS NOT there.type OR here.atom IS NOT there.atom
    UNION ALL
    SELECT name, field, 1, number, place FROM there LEFT JOIN (SELECT DISTINCT name, field FROM here) USING (name)
    WHERE place NOT IN (SELECT place FROM here))
SELECT replace(substr(place, 3), '"', '') AS path, coalesce(?1 -> place, 'absent') AS here, coalesce(?2 -> place, 'absent') AS there
FROM found WHERE name NOT IN (SELECT value FROM json_each(?3)) ORDER BY field IS NULL, field, added, number LIMIT 1
