-- A run in words (struct about), of its plan ?1 and manifest ?2, which are JSON. A text is empty where they do not say.
WITH asked (plan, manifest) AS (VALUES (?1, ?2)),
protocols AS (
    SELECT plan ->> 'protocol' AS name, plan ->> 'warmup_seconds' AS warmup, plan ->> 'duration_seconds' AS duration,
        plan ->> 'precision' AS precision, plan ->> 'visits' AS visits, plan ->> 'cache' AS cache,
        plan ->> 'precise_ratios' IS 'previous' AS one, coalesce(json_array_length(plan, '$.precise_lenses'), 0)
            < coalesce(json_array_length(plan, '$.lenses'), 0) AS some,
        (SELECT group_concat(value, ', ') FROM json_each(plan, '$.precise_lenses')) AS lenses,
        (SELECT group_concat(value, ', ') FROM json_each(plan, '$.modes')) AS modes
    FROM asked),
protocol AS (
    SELECT iif(modes <> '', modes, '') AS modes, iif(modes <> '' AND name <> '', name || ' protocol'
            || iif(warmup IS NULL, '', printf(', %.9g s warm-up', warmup)) || iif(duration IS NULL, '', printf(' + %.9g s timing', duration))
            || iif(precision > 0 AND name <> 'paper', printf(', until ±%g %%', iif(one, 50, 100) * precision)
                || iif(some AND lenses <> '', ' by ' || lenses, '') || iif(one, ' of new against old', ''), '')
            || iif(visits > 0, printf(', %g visit%s', visits, iif(visits > 1, 's', '')), '')
            || iif(cache <> '', ', ' || cache || ' cache', ''), '') AS protocol
    FROM protocols),
-- GPUs are told apart by their UUIDs. A host's device is the last word of its label: "host" of "2/8 node host". A shard has
-- an entry of its own for each of these.
entries AS (
    SELECT "key" AS place, coalesce(value ->> 'uuid', '') AS uuid, coalesce(value ->> 'label', '') AS label
    FROM asked, json_each(manifest, '$.devices') WHERE type = 'object'),
devices AS (
    SELECT place, uuid, substr(label, length(rtrim(label, replace(label, ' ', ''))) + 1) AS label,
        first_value(uuid) OVER (ORDER BY place) <> '' AS gpus
    FROM entries),
cards AS (
    SELECT max(gpus) AS gpus, count(DISTINCT iif(gpus, uuid, label)) AS count, (SELECT label FROM devices WHERE place = 0) AS label,
        (SELECT group_concat(uuid, ',') FROM (SELECT DISTINCT uuid FROM devices ORDER BY uuid)) AS uuids
    FROM devices),
machine AS (
    SELECT coalesce(nullif(json_extract(manifest, '$.gpu.name'), ''), json_extract(manifest, '$.cpu.model')) AS name,
        CASE WHEN count > 1 THEN count || ' devices' WHEN count = 1 THEN label ELSE coalesce(plan ->> 'device', '') END AS number,
        iif(gpus, uuids, '') AS cards
    FROM asked, cards),
-- Versions of gemmgate by the first digits of their commits.
versions AS (
    SELECT min(place) AS place, version FROM (
        SELECT "key" AS place, value AS version FROM asked, json_each(manifest, '$.measured_by') WHERE type = 'text'
        UNION ALL SELECT 0, json_extract(manifest, '$.gemmgate.git_commit') FROM asked
        WHERE json_type(manifest, '$.measured_by') IS NOT 'array')
    WHERE version IS NOT NULL GROUP BY version),
paths (name, path) AS (VALUES ('driver', '$.driver'), ('CUDA runtime', '$.cuda.runtime'), ('cuBLAS', '$.cuda.cublas'),
    ('cuBLASLt', '$.cuda.cublaslt'), ('OpenBLAS:', '$.openblas')),
software AS (
    SELECT group_concat(told, ', ') AS software FROM (
        SELECT name || ' ' || json_extract(manifest, path) AS told FROM asked, paths WHERE json_extract(manifest, path) <> ''
        UNION ALL SELECT 'gemmgate ' || group_concat(substr(version, 1, 12), ' and ') FROM (SELECT * FROM versions ORDER BY place)))
SELECT iif(name <> '', name || ' (' || number || ')', coalesce(plan ->> 'device', '')) AS device, cards, software,
    plan ->> 'set' AS "set", plan ->> 'suite' AS suite, coalesce(nullif(plan ->> 'element', ''), 'f16') AS element,
    plan ->> 'accumulate' AS accumulate, plan ->> 'inputs' AS inputs, modes, protocol, manifest ->> 'start' AS start,
    manifest ->> 'end' AS "end", manifest ->> 'shard' AS shard, coalesce(manifest ->> 'imported', '') || coalesce(': ' || (
        SELECT group_concat(value ->> 'name', ', ') FROM json_each(manifest, '$.sources') WHERE type = 'object'), '') AS imported
FROM asked, protocol, machine, software
