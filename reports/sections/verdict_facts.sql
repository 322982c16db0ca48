-- What the verdict on run ?1 rests on. What a kernel of the host device is compared with: OpenBLAS has kernels for each
-- processor, and the slowest have a fifth of the speed of the fastest. Its configuration is "OpenBLAS 0.3.21 DYNAMIC_ARCH
-- Haswell MAX_THREADS=64" or the like.
WITH own AS (SELECT * FROM runs WHERE run = ?1),
words AS (
    SELECT key, value AS word FROM own, json_each('["' || replace(replace(manifest ->> 'openblas', '"', ''), ' ', '","') || '"]')
    WHERE host_clock <> ''),
openblas AS (
    SELECT (SELECT word FROM words WHERE word GLOB '[0-9]*' ORDER BY key LIMIT 1) AS version,
        (SELECT word FROM words WHERE instr(word, '=') = 0 AND word <> 'SINGLE_THREADED' ORDER BY key DESC LIMIT 1) AS core)
SELECT 'facts' AS kind, 'what it rests on' AS text
UNION ALL SELECT 'measured on', plain(device) FROM own
UNION ALL SELECT 'inputs while timed', plain(inputs) FROM own
UNION ALL SELECT 'OpenBLAS', printf('%s, one thread, with its kernels for **%s**%s', plain(version), plain(core),
    iif(instr(manifest ->> 'variables', 'OPENBLAS_CORETYPE='), ', which OPENBLAS_CORETYPE asks for', ', its own choice'))
    FROM openblas, own WHERE version <> ''
