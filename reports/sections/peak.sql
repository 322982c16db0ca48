-- Where the peak of run ?1 comes from. Hosts and imported runs have none.
SELECT 'more' AS kind, CASE
    WHEN plan ->> 'peak_tflops' IS NOT NULL THEN printf(' The peak was given by `--peak`: %g TFLOP/s.', plan ->> 'peak_tflops')
    WHEN host_clock = '' AND imported = '' AND EXISTS (
        SELECT 1 FROM times WHERE run = ?1 AND device NOT IN (SELECT device FROM peaks WHERE run = ?1))
    THEN ' The peak of this card is not known, so no share of it is shown. A run is given it by `--peak TFLOPS`.' END AS text
FROM runs WHERE run = ?1
