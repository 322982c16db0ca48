-- What became of the claims on run ?1, which was measured.
WITH counts AS (
    SELECT count(*) AS count, sum(verdict = 'not comparable') AS unlike, sum(verdict = 'confirmed') AS confirmed,
        sum(verdict = 'not confirmed') AS refuted, sum(verdict = 'undecided') AS undecided
    FROM findings WHERE run = ?1)
SELECT iif(refuted, 'bad', 'note') AS kind, iif(unlike = count,
    printf('[Claims](#claims): none of %d can be compared.', count),
    printf('[Claims](#claims): **%d confirmed, %d not confirmed, %d undecided.**', confirmed, refuted, undecided)
        || iif(unlike, printf(' %d cannot be compared.', unlike), '')) AS text
FROM counts, runs WHERE run = ?1 AND claims <> '' AND imported = '' AND count
