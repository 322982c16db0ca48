-- The verdict of a gate in a sentence.
SELECT iif(verdict = 'pass', 'good', 'bad') AS kind,
    printf('**%s** (exit status %d)%s: ', verdict, exit_status, iif(release, ', as for a release', '')) || plain(reason) AS text
FROM whole
