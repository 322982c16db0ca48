-- Fills the table `warnings` with what a gate warns of, in order. ?1 is its verdict.
INSERT INTO warnings
WITH slower AS (
    SELECT count(*) OVER () AS count, shown_rows.* FROM shown_rows, asked
    WHERE status = 'environment' AND confirmed AND p <= alpha ORDER BY place LIMIT 1)
SELECT text FROM (
    SELECT 1 AS place, baseline || ' must be beaten and was not measured beside every row: add it to --baselines' AS text
    FROM (SELECT baseline FROM wanted WHERE NOT measured ORDER BY row, number LIMIT 1)
    UNION ALL SELECT 2, baseline || ' must be beaten by no row of this gate' FROM beaten WHERE rows = 0
    UNION ALL SELECT 3, printf('line %d of the policy: %s covers %s: remove it', line, pattern,
        iif(EXISTS (SELECT 1 FROM checks
                    WHERE checks.run = 'run' AND candidate <> '' AND shape GLOB shapes AND label IN ('', candidate)),
            'nothing that is slower', 'no kernel of this run'))
    FROM patterns WHERE line NOT IN (
        SELECT line FROM gate_rows JOIN statuses USING (status) WHERE NOT coalesce(severity >= 9 AND ci_low > 1 / (1 + ordinary), 0))
    UNION ALL SELECT 4, printf('%.150s was measured on another card (%.60s, here %.60s): by how much cards of the model differ is not '
        || 'known, and counts as a difference of kernels; compare with a run of this card, or with the earlier kernels themselves '
        || '(--against SET)', base_name, base_cards, run_cards)
    FROM asked WHERE other_card
    UNION ALL SELECT 5, run_lacks FROM asked
    UNION ALL SELECT 6, confirm_lacks FROM asked
    UNION ALL SELECT 7, base_lacks FROM asked
    UNION ALL SELECT 8, printf('%d of %d rows are judged by call, since the kernel or the earlier one is unrecorded: no device work '
        || 'bounds these numbers', by_call, rows)
    FROM counts WHERE by_call AND ?1 <> 'wrong'
    UNION ALL SELECT 9, printf('of %d of %d rows visits are left out: the machine was disturbed in them', left_out, timed)
    FROM counts WHERE left_out AND ?1 NOT IN ('wrong', 'environment')
    UNION ALL SELECT 10, printf('%d of %d rows were disturbed, which the policy lets pass', environment, timed)
    FROM counts WHERE environment AND ?1 NOT IN ('wrong', 'environment')
    UNION ALL SELECT 11, printf('%d of the disturbed rows would be confirmed slowdowns, and do not fail the gate; the worst: %s %.60s '
        || '(%.60s, %.60s) takes %s than %.60s: gate again on a quiet machine', count, shape, candidate, mode, lens, change, reference)
    FROM slower WHERE ?1 NOT IN ('wrong', 'environment')
    UNION ALL SELECT 12, printf('%d of %d rows are undecided, which the policy lets pass', undecided - gone - untimed, rows)
    FROM counts, asked
    WHERE undecided > gone + untimed AND NOT beyond AND on_undecided = 'warn' AND undecided - gone - untimed <= most_undecided * timed
        AND ?1 IN ('inconclusive', 'error', 'pass'))
WHERE text IS NOT NULL ORDER BY place LIMIT 64
