-- All series together. ?1: fewer points than that are a short series.
SELECT coalesce(sum(after > before), 0) AS faster, coalesce(sum(after < before), 0) AS slower, sum(newest) AS series,
    max(place) AS longest, sum(newest AND place < CAST(?1 AS INTEGER)) AS short,
    iif(count(DISTINCT device) = 1, max(device), 'several devices') AS device
FROM series JOIN levels ON levels.rowid = at
