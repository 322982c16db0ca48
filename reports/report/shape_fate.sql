-- What became of candidate ?3 on shape ?2 of run ?1.
SELECT iif(fate IN ('passed', 'unrecorded'), 'note', 'bad') AS kind, iif(fate = 'passed', '**ok**: it passed every check.',
    printf('**%s**: %s', outcome, plain(detail))) AS text
FROM fates WHERE run = ?1 AND shape = ?2 AND candidate = ?3 AND tested
