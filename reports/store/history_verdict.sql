-- What all series together say. ?1: fewer points than that are a short series. ?2: how often, of a hundred histories, any
-- change is told where all series are stable.
WITH points AS (SELECT * FROM series JOIN levels ON levels.rowid = at),
sums AS (
    SELECT coalesce(sum(after > before), 0) AS faster, coalesce(sum(after < before), 0) AS slower, sum(newest) AS count,
        max(place) AS longest, sum(newest AND place < CAST(?1 AS INTEGER)) AS short,
        iif(count(DISTINCT device) = 1, max(device), 'several devices') AS device
    FROM points),
largest AS (
    SELECT * FROM points WHERE before IS NOT NULL ORDER BY max(after / before, before / after) DESC, at LIMIT 1)
SELECT iif(slower, 'bad', iif(faster, 'good', 'note')) AS kind,
    printf('**Changes of level: %d to slower, %d to faster**, in %d series of up to %d runs, on %s.', slower, faster, count,
        longest, plain(device)) AS text
FROM sums
UNION ALL
SELECT 'more', printf(' The largest: %s %s, %s, %s, %+.1f %% in %s%s.', shape, plain(candidate), mode, lens,
    100 * (after / before - 1), plain(entry), iif(commits = '', '', ', with the kernels of ' || plain(commits)))
FROM largest
UNION ALL
SELECT 'more', ' A series is a kernel on a shape, by mode and lens. Were all stable, any change would be told in at most ' || ?2
    || ' % of such histories.'
UNION ALL
SELECT 'paragraph', printf('In %d series of fewer than %s runs the runs'' own intervals decide; what differs between runs of '
    || 'the same kernels is not known there yet.', short, ?1)
FROM sums WHERE short > 0
UNION ALL
SELECT 'paragraph', 'Ratios are the time of the library / the time of the kernel: above 1 the kernel is faster.'
