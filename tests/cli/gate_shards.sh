#!/usr/bin/env bash
# A gate that two runners share: each screens its part, and one of them goes on with what is made of both.
# Covers: bench/command/gate.c bench/run/gate_run* reports/import/merge*
. "$(dirname "$0")/lib.sh"

printf '[gate]\nscreening_visits = 3\nconfirm_visits = 9\nalpha = 0.1\nmargin = 100 %%\n' >policy.ini
mkdir base slower
printf '#define SLOWER_PERCENT 0\n#include "%s"\n' "$SOURCE/candidates/examples/gate/release.c" >base/mine.c
printf '#define SLOWER_PERCENT 125\n#include "%s"\n' "$SOURCE/candidates/examples/gate/release.c" >slower/mine.c
planted=48x64x32 # where candidates/examples/gate/release.c is slower: near the margin, so that it is measured again
common=(--device host --seed 5 --warmup 0.05 --duration 0.1 --shapes "32x32x32,$planted,64x64x64"
    --policy policy.ini --candidates slower --against base)
shard() { # I RUN OPTION...
    local i=$1 run=$2
    shift 2
    expect 0 "$GEMMGATE" gate "${common[@]}" --shard "$i"/2 -o "$run" "$@"
    grep -q "^shard $i/2 is measured into $run: " out || { cat out >&2; fail 'a shard does not say what follows'; }
    [ ! -e "$run/gate" ] || fail 'a shard has a verdict'
}
expect 2 "$GEMMGATE" gate "${common[@]:0:2}" "${common[@]:4}" --shard 1/2 -o A
says '--shard: the parts of a run share its seed'
shard 1 A
shard 2 B

# The suspect is measured again, and the whole is judged; any order will do.
expect 0 "$GEMMGATE" merge B A -o WHOLE
[ ! -e WHOLE/confirm ] || fail 'a shard has measured a suspect again'
merged=0
"$GEMMGATE" gate --resume -o WHOLE >out 2>err || merged=$?
[[ " 1 3 5 " = *" $merged "* ]] || { cat out err >&2; fail "the merged gate ends with $merged"; }
grep -q "\"exit_status\": $merged," WHOLE/gate/gate.json || fail 'gate.json does not say so'
[ "$(column WHOLE/gate/gate.csv status | wc -l)" = 3 ] || { cat WHOLE/gate/gate.csv >&2; fail 'rows are missing'; }
[ -d WHOLE/confirm/units/$planted.mine ] || fail 'no confirmation'
again=0
"$GEMMGATE" gate WHOLE --policy policy.ini >out 2>err || again=$?
[ "$again" = "$merged" ] || { cat out err >&2; fail "judged again it ends with $again"; }
expect 0 "$GEMMGATE" verify WHOLE

# A shard alone is nothing to judge, nor is a whole that was merged of other kernels.
expect 2 "$GEMMGATE" gate A --policy policy.ini
grep -q 'A is not complete: it is a shard' out || { cat out err >&2; fail 'a shard is judged'; }
cp -r A C
cp -r B D
sed -i 's/"kernels_commit": null/"kernels_commit": "abc"/' C/manifest.json
sed -i 's/"kernels_commit": null/"kernels_commit": "def"/' D/manifest.json
expect 2 "$GEMMGATE" merge C D -o NONE
says 'C and D have measured other kernels: kernels_commit is abc and def'
[ ! -e NONE ] || fail 'a merge that is refused leaves a folder'

# A shard that was interrupted goes on.
got=0
hold "$scratch/KILLED/manifest.json"
"$GEMMGATE" gate "${common[@]}" --shard 1/2 -o KILLED >out 2>err &
pid=$!
held $pid
kill -TERM $pid
go
wait $pid || got=$?
[ "$got" = 75 ] || { cat out err >&2; fail "an interrupted shard ends with $got"; }
shard 1 KILLED --resume
echo ok
