-- The runs of which it is not known that their files are as they were measured.
SELECT 'bad' AS kind, printf('**Not verified**: %s. `gemmgate verify %s` says whether its numbers are those of its samples.',
    plain(unverified), plain(folder)) AS text
FROM runs WHERE unverified <> '' ORDER BY rowid
