-- At what the ratios of small products are stated.
SELECT 'item' AS kind, printf('By `%s` the ratios of small products are stated at %s of %.4g µs, whatever %s takes in a process.', lens,
    iif(held, 'an empty call', 'a launch'), at_us, iif(held, 'the front end of the device', 'a launch')) AS text
FROM stated WHERE run = 'run' ORDER BY rowid
