-- The verdict of the controls of run ?1, where it is ?2 (NULL: whichever it is).
SELECT iif(controls = 'failed', 'bad', 'note') AS kind, CASE controls
    WHEN 'none' THEN '**No controls**: this run does not say how far its numbers can be trusted.'
    WHEN 'passed' THEN '**Controls passed**: a baseline against itself came out equal as often as it should, in one process '
        || 'and across processes, and planted delays were found as long as they are.'
    ELSE printf('**Controls failed**; do not rely on the numbers of these modes and lenses: %s.', plain(why)) END AS text
FROM runs WHERE run = ?1 AND controls = coalesce(?2, controls) AND (imported = '' OR controls <> 'none')
