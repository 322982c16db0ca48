-- What the names of the release's files ?1 (offline) and ?2 (server; "": none) say, cuda_l2_SET_speedup_MODE.csv: by which `lens` their
-- set was timed, and what is at fault; other names say nothing. A file that does not say its set is taken for one of the other's.
--
-- The release's scripts have timed some sets by CUDA events, up to its commit 9d193de. Since its commit dbe0177 they read the host's
-- clock, from before a call until the device is idle.
WITH files(mode, path) AS (VALUES ('offline', ?1), ('server', ?2)),
named AS (SELECT *, replace(path, rtrim(path, replace(path, '/', '')), '') AS name FROM files),
begun AS (SELECT *, iif(instr(name, 'cuda_l2_'), substr(name, instr(name, 'cuda_l2_') + 8), '') AS rest FROM named),
told AS (
    SELECT mode, path, iif(instr(rest, '_speedup_'), substr(rest, 1, instr(rest, '_speedup_') - 1), '') AS "set",
        iif(instr(rest, '_speedup_'), substr(rest, instr(rest, '_speedup_') + 9), '') AS behind
    FROM begun),
faults(text) AS (
    SELECT printf('--%s %s: by its name this file is for --%s', told.mode, path, modes.mode)
    FROM told JOIN modes ON substr(behind, 1, length(modes.mode)) = modes.mode WHERE modes.mode <> told.mode
    UNION ALL
    SELECT printf('%s is of the set %s, and %s of %s: import one set at a time', one.path, one."set", other.path, other."set")
    FROM told AS one, told AS other
    WHERE one.mode = 'offline' AND other.mode = 'server' AND one."set" <> '' AND other."set" <> '' AND one."set" <> other."set")
SELECT (SELECT text FROM faults LIMIT 1) AS fault,
    iif(max("set") IN ('a100_F16F16F16F16', 'a100_F32F16F16F32', '3090_F32F16F16F32'), 'call', 'wait') AS lens
FROM told
