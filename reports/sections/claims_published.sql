-- What was published beside the claims, of run ?1, which is imported. A claim's tolerance is what they may be apart.
WITH counts AS (
    SELECT count(*) AS count, sum(verdict = 'not comparable') AS unlike, sum(beyond) AS beyond,
        coalesce(max(abs(apart)), 0) AS most
    FROM findings WHERE run = ?1)
SELECT iif(beyond, 'bad', 'note') AS kind, CASE
    WHEN unlike = count THEN printf('[Claims](#claims): none of %d can be compared with the published numbers.', count)
    WHEN beyond > 0 THEN printf('[%d of %d claims](#claims) **differ from the published numbers by more than their tolerance, '
        || 'by up to %.1f points.**', beyond, count, most)
    WHEN most > 0 THEN printf('[%d of %d claims](#claims) **agree with the published numbers within %.1f points.**',
        count - unlike, count, most)
    ELSE printf('[%d of %d claims](#claims) **agree with the published numbers.**', count - unlike, count) END
    || iif(unlike AND unlike < count, printf(' %d cannot be compared with them.', unlike), '') AS text
FROM counts, runs WHERE run = ?1 AND claims <> '' AND imported <> '' AND count
