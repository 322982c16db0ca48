-- Times of nvbench, as its --json FILE has them: a state for each point of a benchmark's axes. M, N and K are the shape. An
-- axis whose value is a type must be the run's, one called layout names that of B, and the values of all others are part of
-- the arm's name. The cold time is of one call behind a blocking kernel with the L2 cleared: the lens device. The batch time
-- is of many calls in a row: the lens stream.
CREATE TEMP TABLE devices AS
SELECT json_extract(entry, '$.id') AS id, json_extract(entry, '$.name') AS gpu
FROM (SELECT iif(type = 'object', value, '{}') AS entry FROM file, json_each(document, '$.devices'));

CREATE TEMP TABLE states AS
SELECT printf('benchmarks[%d].states[%d]', number, "key") AS place, coalesce(json_extract(entry, '$.name'), '') AS benchmark,
    iif(type = 'object', value, '{}') AS state, NULL AS gpu, NULL AS skipped
FROM (SELECT "key" AS number, iif(type = 'object', value, '{}') AS entry FROM file, json_each(document, '$.benchmarks')),
    json_each(entry, '$.states')
WHERE json_type(entry, '$.states') = 'array';
UPDATE states SET gpu = (SELECT gpu FROM devices WHERE id = json_extract(state, '$.device')),
    skipped = json_type(state, '$.is_skipped') IS 'true';

CREATE TEMP TABLE axes AS
SELECT row, place, name, value, types.element, CASE
    WHEN lower(name) IN ('m', 'n', 'k') THEN lower(name)
    WHEN types.element IS NOT NULL THEN 'type'
    WHEN lower(name) = 'layout' THEN 'layout' ELSE 'name' END AS means
FROM (
    SELECT row, place, number, coalesce(json_extract(axis, '$.name'), '') AS name,
        iif(json_type(axis, '$.value') IN ('text', 'integer', 'real'), json_extract(axis, '$.value') || '', '') AS value
    FROM (SELECT states.rowid AS row, place, "key" AS number, iif(type = 'object', value, '{}') AS axis
        FROM states, json_each(state, '$.axis_values') WHERE NOT skipped))
LEFT JOIN types ON word = value ORDER BY row, number;

CREATE TEMP TABLE summaries AS
WITH intervals (tag, cache, lens) AS (
    VALUES ('nv/cold/time/gpu/mean', 'cold', 'device'), ('nv/batch/time/gpu/mean', 'warm', 'stream'))
SELECT row, place, tag, cache, lens, iif(json_type(summary, '$.hint') = 'text', json_extract(summary, '$.hint'), '') AS hint,
    coalesce((
        SELECT iif(json_type(value, '$.value') IN ('text', 'integer', 'real'), json_extract(value, '$.value') || '', '')
        FROM json_each(summary, '$.data')
        WHERE json_extract(iif(type = 'object', value, '{}'), '$.name') = 'value'), '') AS value
FROM (SELECT states.rowid AS row, place, iif(type = 'object', value, '{}') AS summary
    FROM states, json_each(state, '$.summaries') WHERE NOT skipped)
JOIN intervals ON tag = json_extract(summary, '$.tag') GROUP BY row, tag;

CREATE TEMP TABLE points AS
SELECT states.rowid AS row, states.place, gpu, skipped,
    benchmark || coalesce(group_concat(iif(means = 'name', ' ' || name || '=' || value, ''), ''), '') AS arm,
    max(iif(means = 'm', number(value), NULL)) AS m, max(iif(means = 'n', number(value), NULL)) AS n,
    max(iif(means = 'k', number(value), NULL)) AS k, max(iif(means = 'layout', value, '')) AS layout,
    iif(skipped, printf('%s, %.60s', states.place, coalesce(json_extract(state, '$.skip_reason'), '')), NULL) AS left_out
FROM states LEFT JOIN axes ON row = states.rowid GROUP BY states.rowid;

CREATE TEMP TABLE readings AS
SELECT points.place, CAST(m AS INTEGER) AS m, CAST(n AS INTEGER) AS n, CAST(k AS INTEGER) AS k, arm AS provider, layout, lens,
    cache, number(value) AS seconds, '' AS note, left_out, 0 AS unverified, gpu
FROM points LEFT JOIN summaries USING (row) ORDER BY row, lens;

CREATE TEMP TABLE faults AS
SELECT 0 AS at, 0 AS rank, ': no list ''benchmarks'': this is not what nvbench --json writes' AS text
FROM file WHERE json_type(document, '$.benchmarks') IS NOT 'array'
UNION ALL
SELECT row, rank, printf(': %s: %s', place, fault) FROM (
    SELECT rowid AS row, 1 AS rank, place, 'name '''': the benchmark''s name is wanted' AS fault FROM states WHERE benchmark = ''
    UNION ALL
    SELECT rowid, 2, place, printf('device ''%.60s'': another GPU than before: import one at a time', gpu)
    FROM states WHERE gpu <> (SELECT gpu FROM states WHERE gpu IS NOT NULL ORDER BY rowid LIMIT 1)
    UNION ALL
    SELECT row, 3, place, printf('%s ''%.60s'': ', name, value) || CASE means
        WHEN 'type' THEN iif(axes.element <> asked.element,
            'another type than this run''s: leave such states out, or import with --element bf16 or f16', NULL)
        WHEN 'layout' THEN iif(value IN ('nn', 'tn'), NULL,
            'nn (B row-major) or tn (B column-major) is wanted; leave others out')
        WHEN 'name' THEN NULL
        ELSE iif(number(value) BETWEEN 1 AND 1048576 AND number(value) = round(number(value)), NULL,
            'a size from 1 to 1048576 is wanted') END
    FROM axes, asked
    UNION ALL
    SELECT row, 4, place, 'axes M, N and K are wanted, so that the shape is known'
    FROM points WHERE NOT skipped AND (m IS NULL OR n IS NULL OR k IS NULL)
    UNION ALL
    SELECT row, 5, place, CASE
        WHEN hint NOT IN ('', 'duration') THEN printf('%s ''%.60s'': the hint duration, seconds, is wanted', tag, hint)
        WHEN number(value) > 0 THEN NULL
        ELSE printf('%s ''%.60s'': a finite number of seconds above 0 is wanted; leave the state out', tag, value) END
    FROM summaries
    UNION ALL
    SELECT row, 6, place, 'no summary has the tag nv/cold/time/gpu/mean or nv/batch/time/gpu/mean; nvbench of 2022 or later writes '
        || 'them'
    FROM points WHERE NOT skipped AND row NOT IN (SELECT row FROM summaries))
WHERE fault IS NOT NULL;
