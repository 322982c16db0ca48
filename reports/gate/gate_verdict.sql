-- The verdict on the whole: the first of the rules that holds. A rule is sentences. It holds where one of them that decides is
-- said; its reason is all that are said.
WITH worst AS (
    SELECT status, ' ' || shape || printf(' %.60s', candidate) || iif(lens = '', '', ' (' || mode || ', ' || lens || ')')
        || iif(ratio IS NULL, iif(text = '', '', ': '), ' ') || takes || brief(text, 150) AS row, severity, min(place)
    FROM shown_rows GROUP BY status),
best AS (SELECT status, change, max(place) FROM shown_rows WHERE status IN ('faster', 'maybe-faster') GROUP BY status),
sums AS (
    SELECT count(*) || ' ' || status || coalesce(' (best: ' || change || ')', '') AS text
    FROM gate_rows JOIN statuses USING (status) LEFT JOIN best USING (status) GROUP BY severity ORDER BY severity),
found AS (
    SELECT *, undecided - gone - untimed AS pending,
        (SELECT group_concat(text, ', ') FROM sums) || printf(' of %d row%s', rows, iif(rows = 1, '', 's')) AS counted,
        (SELECT count(*) FROM wanted WHERE NOT measured) AS unmeasured, (SELECT count(*) FROM evidence) AS proofs,
        CASE WHEN coverage < wanted_coverage THEN printf('%.4g %% of the shapes have an honest kernel where the policy''s coverage asks for '
            || '%.4g %%: none for %s', 100 * coverage, 100 * wanted_coverage, iif(unserved = '', 'any', unserved)) END AS lacking,
        CASE WHEN on_undecided = 'fail' THEN 'the policy lets no row be undecided'
             WHEN undecided - gone - untimed > most_undecided * timed
             THEN printf('the policy lets %.4g %% of the rows be undecided', 100 * most_undecided) END AS forbidden
    FROM asked, counts, unfit, served),
rules(place, verdict, part, decides, text) AS (
    SELECT 1, 'wrong', 1, 1, CASE WHEN wrong THEN printf('%d of %d kernels on shapes refused', wrong, units) END FROM found
    UNION ALL SELECT 1, 'wrong', 2, 0, 'the first:' || row FROM worst WHERE status = 'wrong'
    UNION ALL SELECT 1, 'wrong', 3, 0, CASE WHEN rows > wrong THEN counted END FROM found
    UNION ALL SELECT 2, 'wrong', 1, 1, CASE WHEN unrecorded THEN printf('%d of %d kernels on shapes are unrecorded, which the policy '
        || 'refuses; `unrecorded = allow` has them judged by call', unrecorded, units) END FROM found
    UNION ALL SELECT 2, 'wrong', 2, 0, 'the first:' || row FROM worst WHERE status = 'unrecorded'
    UNION ALL SELECT 2, 'wrong', 3, 0, CASE WHEN rows > unrecorded THEN counted END FROM found
    UNION ALL SELECT 3, 'environment', 1, 1, CASE
        WHEN unbuilt THEN printf('this machine could not compile %d of %d kernels on shapes', unbuilt, units)
        WHEN starved THEN printf('this machine had too little device memory for %d of %d kernels on shapes', starved, units) END FROM found
    UNION ALL SELECT 3, 'environment', 2, 0, 'the first:' || row FROM worst WHERE status = 'environment'
    UNION ALL SELECT 3, 'environment', 3, 0, CASE WHEN rows > environment THEN counted END FROM found
    UNION ALL SELECT 4, 'environment', 1, 1, why FROM found
    UNION ALL SELECT 5, 'not-comparable', 1, 1, CASE WHEN NOT comparable
        THEN printf('not measured under the conditions of %.150s: %.300s', base_name, base_why) END FROM found
    UNION ALL SELECT 6, 'regression', 1, 0, counted FROM found
    UNION ALL SELECT 6, 'regression', 2, 1, 'the worst:' || row
        FROM (SELECT row, min(severity) FROM worst WHERE status IN ('slower', 'behind', 'missing'))
    UNION ALL SELECT 6, 'regression', 3, 0, lacking FROM found
    UNION ALL SELECT 7, 'coverage', 1, 1, lacking FROM found
    UNION ALL SELECT 7, 'coverage', 2, 0, counted FROM found
    UNION ALL SELECT 8, 'inconclusive', 1, 0, counted FROM found
    UNION ALL SELECT 8, 'inconclusive', 2, 1, CASE WHEN untimed THEN printf('%d of %d rows lack a time of a kernel that passed its '
        || 'checks: nothing shows how fast it is', untimed, rows) END FROM found
    UNION ALL SELECT 8, 'inconclusive', 3, 1, CASE WHEN unmeasured
        THEN printf('%d row%s a baseline that must be beaten', unmeasured, iif(unmeasured = 1, ' lacks', 's lack')) END FROM found
    UNION ALL SELECT 8, 'inconclusive', 4, 1, CASE WHEN unbounded THEN printf('%d of %d rows are bounded by nothing: no device work on '
        || 'the stage is known to be that of the timed calls; `unrecorded = allow` has them judged', unbounded, rows) END FROM found
    UNION ALL SELECT 8, 'inconclusive', 5, 1, CASE WHEN gone THEN printf('%d kernel%s gone: nothing shows whether the kernel that '
        || 'serves the shape now is as fast; if it is the same kernel by another name, say so: --renamed OLD=NEW', gone,
        iif(gone = 1, ' is', 's are')) END FROM found
    UNION ALL SELECT 8, 'inconclusive', 6, 1, CASE WHEN pending AND beyond THEN printf('%d undecided row%s slower than the margin allows '
        || 'by the whole interval', beyond, iif(beyond = 1, ' is', 's are')) END FROM found
    UNION ALL SELECT 8, 'inconclusive', 7, 1, CASE WHEN pending THEN forbidden END FROM found
    UNION ALL SELECT 8, 'inconclusive', 8, 0, CASE WHEN pending = 0 THEN 'the first:'
        WHEN beyond OR forbidden IS NOT NULL THEN 'the worst:' END || row FROM found, worst WHERE status = 'undecided'
    UNION ALL SELECT 9, 'error', 1, 1, CASE WHEN proofs OR absolute THEN NULL
        WHEN rows = 0 THEN 'no kernel was timed, and so nothing is compared'
        WHEN earlier_refused = rows THEN 'there is nothing to compare with: every earlier kernel was refused'
        ELSE printf('there is nothing to compare with: all %d rows are new', rows) END FROM found
    UNION ALL SELECT 9, 'error', 2, 0, CASE WHEN earlier_refused = rows THEN 'the first:' || row END FROM found, worst WHERE status = 'added'
    UNION ALL SELECT 9, 'error', 3, 0, iif(base_name <> '', '', 'name the earlier kernels (--against), or ') || 'name a library that must '
        || 'be beaten ([gate.must] of the policy), or let the checks alone decide (--absolute)' FROM found
    UNION ALL SELECT 10, 'pass', 1, 1, counted FROM found
    UNION ALL SELECT 10, 'pass', 2, 0, group_concat(text, '; ') FROM beaten
    UNION ALL SELECT 10, 'pass', 3, 1, CASE WHEN NOT compared THEN 'no kernel is refused, and no earlier kernel is compared with' END FROM found
    UNION ALL SELECT 10, 'pass', 4, 0, 'the worst that is undecided:' || row FROM worst WHERE status = 'undecided')
SELECT verdict, group_concat(text, '; ') AS reason
FROM (SELECT * FROM rules WHERE text IS NOT NULL AND place = (SELECT min(place) FROM rules WHERE decides AND text IS NOT NULL)
      ORDER BY part)
