-- What run ?1 lacks where it is not complete.
SELECT 'bad' AS kind, printf('**This run is not complete**: %s. To do: %s. ', plain(substr(how_complete, 5)), plain(remedy))
    || iif(going_on, 'Shapes that have not all of their visits yet are in no number.',
        'A shape that has two visits or more, but not all, counts with those it has. A kernel that its other visits would '
        || 'refuse is not refused yet.') AS text
FROM runs WHERE run = ?1 AND NOT complete AND imported = ''
