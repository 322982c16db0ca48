-- Makes the table `weighed`: what the evidence shows of the rows that were `made`.
CREATE TEMP TABLE weighed AS
WITH proofs AS (SELECT evidence.*, evidence.rowid AS number, severity FROM evidence JOIN statuses USING (status)),
-- Of the libraries that a row must beat, and is not shown to, the worst.
worst AS (
    SELECT row, number, status, severity, reference, row_number() OVER (PARTITION BY row ORDER BY severity, number) AS place
    FROM proofs WHERE must AND severity <= 6),
-- Each row against the earlier kernel. `pending`: it is a suspect that has not been measured again.
based AS (
    SELECT made.*, placed.*, proofs.number AS base, proofs.status AS word, proofs.reference AS link, disturbed, high,
        coalesce(suspect AND NOT confirmed AND disturbed IS NULL, 0) AS pending,
        suspect AND NOT confirmed AND (made.m, made.n, made.k, made.candidate) IN (
            SELECT m, n, k, candidate FROM fates WHERE run = 'confirm' AND tested AND fate IN ('passed', 'unrecorded')) AS lost
    FROM made JOIN placed ON placed.row = made.rowid LEFT JOIN proofs ON proofs.row = made.rowid AND NOT must),
stood AS (
    SELECT *,
        CASE WHEN base IS NULL THEN status WHEN disturbed IS NOT NULL THEN 'environment'
             WHEN word = 'same' AND line AND high < 1 / (1 + ordinary) THEN 'known' ELSE word END AS stands
    FROM based),
-- A row keeps what is worse: `behind` is the evidence that a library is not beaten.
kept AS (
    SELECT stood.*, worst.status AS behind_word, worst.reference AS unbeaten,
        iif(worst.severity < statuses.severity AND stands <> 'environment', worst.number, NULL) AS behind,
        CASE WHEN disturbed IS NOT NULL
             THEN printf('%.0f %% of its blocks were disturbed%s', 100 * disturbed,
                         iif(word = 'slower', '; its times would show a slowdown', ''))
             WHEN pending AND lost THEN 'was not timed in the confirmation'
             WHEN pending THEN 'the confirmation did not measure it again: run the gate with --candidates, or measure the suspects '
                 || 'into RUN/confirm'
             WHEN stands = 'known' THEN printf('line %d of the policy lets it be %g %% slower', line, 100 * most)
             ELSE text END AS reason
    FROM stood JOIN statuses ON statuses.status = stands LEFT JOIN worst ON worst.row = stood.row AND worst.place = 1),
beats AS (
    SELECT row, group_concat(text, '; ') AS text
    FROM (SELECT kept.row, printf('beats %s by %.3g', proofs.reference, ratio) AS text
          FROM kept JOIN proofs USING (row)
          WHERE must AND severity > 6 AND number > coalesce(behind, 0) AND stands <> 'environment' ORDER BY kept.row, number)
    GROUP BY row),
suspects AS (SELECT row, max(suspect) AS suspect FROM evidence GROUP BY row),
said AS (
    SELECT kept.*, coalesce(suspects.suspect, 0) AS suspect, coalesce(beats.text, '') AS beaten,
        CASE WHEN behind IS NULL THEN reason
             ELSE 'must beat ' || unbeaten || iif(behind_word = 'behind', ' and is slower', ', not shown to') END AS claim
    FROM kept LEFT JOIN suspects USING (row) LEFT JOIN beats USING (row))
SELECT said.row AS number, said.m, said.n, said.k, said.candidate, source, said.mode, said.lens, said.unrecorded, class, class_place,
    ordinary, line, link, iif(behind IS NULL, stands, behind_word) AS status,
    iif(pending AND lost, 'untimed', why) AS why, claim || iif(claim <> '' AND beaten <> '', '; ', '') || beaten AS text,
    CASE WHEN behind IS NOT NULL THEN unbeaten WHEN base IS NULL THEN ''
         ELSE iif(stored, iif(compares, 'old, by ', 'stored, by '), '') || substr(link, 1, 80) END AS reference,
    proof.ratio, proof.low AS ci_low, proof.high AS ci_high, coalesce(proof.seconds, said.seconds) AS seconds,
    coalesce(proof.margin, ordinary) AS margin, p, coalesce(proof.visits, said.visits) AS visits,
    coalesce(proof.left_out, 0) AS left_out, proof.timed_visits, said.suspect, coalesce(proof.confirmed, 0) AS confirmed,
    device_ratio, call_ratio, wall_seconds, visits_seconds
FROM asked, said LEFT JOIN proofs AS proof ON proof.number = coalesce(behind, base)
