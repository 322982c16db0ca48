#!/usr/bin/env bash
# A gate that two runners share: each measures its part, and the parts are judged as one.
. "$(dirname "$0")/lib.sh"

printf '[gate]\nscreening_rounds = 3\nconfirm_rounds = 9\nalpha = 0.1\nmargin = 100 %%\n' >policy.ini
mkdir base slower
printf '#define SLOWER_PERCENT 0\n#include "%s"\n' "$SOURCE/tests/gate/slower.c" >base/simd.c
printf '#define SLOWER_PERCENT 125\n#include "%s"\n' "$SOURCE/tests/gate/slower.c" >slower/simd.c
planted=48x64x32 # where tests/gate/slower.c is slower: near the margin, so that it is measured again
common=(--device host --seed 5 --warmup 0.05 --duration 0.1 --shapes "32x32x32,$planted,64x64x64"
    --policy policy.ini --candidates slower --against base)
shard() { # I RUN OPTION...
    local i=$1 run=$2
    shift 2
    expect 0 "$GEMMGATE" gate "${common[@]}" --shard "$i"/2 -o "$run" "$@"
    grep -q "^shard $i/2 is measured into $run: " out || { cat out >&2; fail 'a shard does not say what follows'; }
    [ ! -e "$run/gate" ] || fail 'a shard has a verdict'
}
refused() { # WORDS SHARD...: both sides are named
    local words=$1
    shift
    expect 2 "$GEMMGATE" gate --merge "$@" --policy policy.ini -o NONE
    says "$words"
    [ ! -e NONE ] || fail 'a merge that is refused leaves a folder'
}

expect 2 "$GEMMGATE" gate "${common[@]:0:2}" "${common[@]:4}" --shard 1/2 -o A
says '--shard: the parts of a run share its seed'
shard 1 A
shard 2 B

# The row is slower in the whole as it is in its shard, or the machine is disturbed; any order will do.
merged=0
"$GEMMGATE" gate --merge B A --policy policy.ini -o WHOLE >out 2>err || merged=$?
[[ " 1 3 5 " = *" $merged "* ]] || { cat out err >&2; fail "the merged gate ends with $merged"; }
grep -q "\"exit_status\": $merged," WHOLE/gate/gate.json || fail 'gate.json does not say so'
[ "$(column WHOLE/gate/gate.csv status | wc -l)" = 3 ] || { cat WHOLE/gate/gate.csv >&2; fail 'rows are missing'; }
[ -d WHOLE/confirm-1/units/$planted.simd ] || [ -d WHOLE/confirm-2/units/$planted.simd ] || fail 'no second stage'
again=0
"$GEMMGATE" gate WHOLE --policy policy.ini >out 2>err || again=$?
[ "$again" = "$merged" ] || { cat out err >&2; fail "judged again it ends with $again"; }
expect 0 "$GEMMGATE" verify WHOLE

# What does not fit together.
refused '--merge: shard 2/2 is missing: there is 1, the first is A (shard 1/2)' A
cp -r A C
refused '--merge: A and C are both shard 1/2' A C B
rm -r C
expect 0 "$GEMMGATE" gate "${common[@]}" --seed 6 --shard 1/2 -o OTHER
refused '--merge: OTHER and B are of different plans, in seed: "6" and "5"' OTHER B
expect 0 "$GEMMGATE" gate "${common[@]}" --shard 1/3 -o THIRD
refused 'THIRD is shard 1/3 and B is shard 2/2' B THIRD
cp -r B C
sed -i 's/"model": "[^"]*"/"model": "Another CPU"/' C/manifest.json
refused 'A (here) and C (there) are from unlike machines: cpu.model: here ' A C
rm -r C
refused '--merge base: it is no run directory' A base
expect 0 "$GEMMGATE" merge A B -o RUN
refused '--merge RUN: it is no shard' RUN B
cp -r A C
rm -r "$(find C/units -mindepth 1 -maxdepth 1 | head -1)"
refused '--merge C: shard 1/2 has 1 of its 2 units' C B
rm -r C
# Its own unit changed for one of the other shard; other kernels; a plan that is none.
cp -r B C
cp -r "$(find A/units -mindepth 1 -maxdepth 1 | head -1)" C/units/
rm -r "C/units/$(ls B/units | head -1)"
refused '--merge: A and C both have ' A C
rm -r C
cp -r A C
cp -r B D
sed -i 's/"kernels_commit": null/"kernels_commit": "abc"/' C/manifest.json
sed -i 's/"kernels_commit": null/"kernels_commit": "def"/' D/manifest.json
refused '--merge: C and D have measured other kernels: kernels_commit is abc and def' C D
rm -r C D
cp -r A C
sed -zi 's/"units": \[[^]]*\]/"units": [1, null]/' C/plan.json
sed -i 's|"shard": "1/2"|"shard": "1/1"|' C/manifest.json
refused 'C/plan.json: units[0] is no string' C
rm -r C
slow=A
[ -d B/confirm/units/$planted.simd ] && slow=B
cp -r $slow C
units=$(grep -c '"' <(sed -zE 's/.*"units": \[([^]]*)\].*/\1/' C/confirm/plan.json))
sed -zi "s/\"units\": \[[^]]*\]/\"units\": [$(yes 1 | head -n "$units" | paste -sd,)]/" C/confirm/plan.json
refused 'C/confirm/plan.json: units[0] is no string' C $([ $slow = A ] && echo B || echo A)
rm -r C
# Another policy would have measured others again; so would a second stage that is gone.
sed 's/9/11/; s/0.1$/0.0001/' policy.ini >strict.ini
expect 2 "$GEMMGATE" gate --merge A B --policy strict.ini -o NONE
says 'merge with the --policy and the store that the shard was measured with'
mv $slow/confirm gone
refused "--merge $slow: by this policy" A B
mv gone $slow/confirm
# The level rests on which units are whose.
sed -i "s/\"$planted.simd\"/\"1x1x1.simd\"/" WHOLE/shards.json
expect 2 "$GEMMGATE" gate WHOLE --policy policy.ini
says 'shards.json does not name every unit of the plan once'
expect 2 "$GEMMGATE" gate A B
says '--merge'
expect 2 "$GEMMGATE" gate --merge -o NONE
says 'the shards are wanted'

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
