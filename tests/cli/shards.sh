#!/usr/bin/env bash
# A run cut into shards that are measured apart and merged.
# Covers: bench/run reports/import/merge* bench/command/options/settings_plan*
. "$(dirname "$0")/lib.sh"

two_kernels two
common=(--shapes 32x32x32,48x16x64,64x64x64,16x16x16 --visits 2 --warmup 0.02 --duration 0.05
    --baselines openblas-nn,openblas-tn --candidates two)
run() { # STATUS RUN ARGS...
    local status=$1 out=$2
    shift 2
    expect "$status" "$GEMMGATE" run "${common[@]}" -o "$out" "$@"
}

run 2 NONE --device host:0 --seed 5

run 2 NONE --device host --shard 1/3
says '--seed'
for shard in 0/3 4/3 1 a/b 1/3x auto; do
    run 2 NONE --device host --seed 5 --shard $shard
    says '--shard'
done

run 0 A --device host --seed 5 --shard 1/3
run 0 B --device host --seed 5 --shard 2/3
run 0 C --device host --seed 5 --shard 3/3
[ "$(find A/units B/units C/units -mindepth 1 -maxdepth 1 | wc -l)" = 8 ] || fail 'the shards do not make the whole'
grep -q '"shard": "2/3"' B/manifest.json || fail 'B is not the second of three'
grep -q '"complete": false' A/manifest.json || fail 'a shard is complete'

# A shard is no run yet: what asks for one says to merge it.
expect 0 "$GEMMGATE" report A
tr '\n' ' ' <out | grep -q 'This run is not complete: . of 8 units are there, as shard 1/3\. To do: it is a shard: take what `gemmgate merge SHARD\.\.\. -o RUN` makes of all\. ' ||
    { cat out >&2; fail 'the report of a shard does not say what it is'; }
for words in 'gate A' 'compare A' 'compare B A' 'baseline promote A --store STORE'; do
    # shellcheck disable=SC2086
    expect 2 "$GEMMGATE" $words
    says 'is not complete: it is a shard: take what `gemmgate merge '
done
rm -r A/gate

expect 0 "$GEMMGATE" merge A B C -o RUN
expect 0 "$GEMMGATE" merge C A B A -o AGAIN
diff -r RUN AGAIN >/dev/null || fail 'the order of shards changes the result'
expect 0 "$GEMMGATE" verify RUN
grep -q ' 0 differ' out || fail 'verify'
expect 0 "$GEMMGATE" report RUN
[ "$(column RUN/conditions.csv device | sort -u | wc -l)" -ge 3 ] || fail 'the shards are not told apart'

# A shard compiles the kernels of its own shapes, and a resumed one those that are left.
mkdir one
for shape in 16x16x16 32x32x32 48x16x64 64x64x64; do
    cp "$SOURCE/candidates/examples/host/blocked.c" one/$shape.c
done
single() { # I ARGS...
    local i=$1
    shift
    GEMMGATE_CACHE=$PWD/empty expect 0 "$GEMMGATE" run "${common[@]::8}" --baselines openblas-nn \
        --candidates one --device host --seed 5 --shard "$i"/2 -o ONE"$i" "$@"
}
single 1
[ "$(grep -c '^built ' err)" = 2 ] || fail 'not only the kernels of the shard were compiled'
rm -rf ONE1/units/32x32x32.* ONE1/units/16x16x16.*
single 1 --resume
single 2
expect 0 "$GEMMGATE" merge ONE1 ONE2 -o ONE

# A shard and an earlier copy of it, which lacks units: any order gives the same.
cp -r ONE1 EARLIER
rm -r "$(find EARLIER/units -mindepth 1 -maxdepth 1 | head -1)"
sed -i 's/^ "end": "[^"]*"/ "end": null/' EARLIER/manifest.json
expect 0 "$GEMMGATE" merge EARLIER ONE1 ONE2 -o LEFT
expect 0 "$GEMMGATE" merge ONE1 ONE2 EARLIER -o RIGHT
cmp LEFT/manifest.json RIGHT/manifest.json || fail 'an earlier copy changes what a merge gives by where it stands'

# Where versions of gemmgate are mixed a merge says so, the report names them, and a resumed run keeps them.
for i in 1 2; do
    sed -zi "s/\"measured_by\": \[[^]]*\]/\"measured_by\": [\"${i}abcdefabcdef\"]/" ONE$i/manifest.json
done
expect 0 "$GEMMGATE" merge ONE1 ONE2 -o MIXED
says '2 versions of gemmgate have measured'
expect 0 "$GEMMGATE" report MIXED
grep -q 'gemmgate 1abcdefabcde and 2abcdefabcde |' MIXED/report/report.md || fail 'the report does not name both versions'
rm -rf ONE1/units/32x32x32.*
single 1 --resume
grep -q '"1abcdefabcdef"' ONE1/manifest.json || fail 'a resumed run has forgotten who measured before'

# What is missing is listed, and can be measured there.
expect 3 "$GEMMGATE" merge A C -o PART
[ "$(grep -c '^[0-9]*x' out)" = "$(ls B/units | wc -l)" ] || fail 'not all that is missing is listed'
run 0 PART --device host --seed 5 --resume
expect 0 "$GEMMGATE" verify PART
grep -q '^8 units' out || fail 'the rest was not measured'
expect 3 "$GEMMGATE" merge A C -o WORDLESS
says '`gemmgate run --resume -o WORDLESS`'
expect 0 "$GEMMGATE" run --resume -o WORDLESS # the words are those of the shards, without --shard
grep -q '"complete": true' WORDLESS/manifest.json || fail 'the words of a shard do not go on with the whole'

# Other plans, two measurements of a unit, edited shards, and what is there already are refused.
run 0 OTHER --device host --seed 6 --shard 2/3
expect 2 "$GEMMGATE" merge A OTHER C -o NONE
says 'different plans'
run 0 TWICE --device host --seed 5 --shard 2/3
expect 2 "$GEMMGATE" merge A B C TWICE -o NONE1
says 'was measured twice, in '
grep -q ' in B and again in TWICE: ' err || { cat err >&2; fail 'not both shards are named'; }
expect 2 "$GEMMGATE" merge A B -o RUN
says 'RUN exists; choose another name'
! grep -q resume err || { cat err >&2; fail 'a run that is complete cannot be resumed'; }
expect 3 "$GEMMGATE" merge A C -o PART2
says 'PART2 lacks '
expect 2 "$GEMMGATE" merge A B C -o PART2
says 'PART2 exists; choose another name'
cp -r B EDITED
unit=$(ls B/units | head -1)
printf '\x7f' | dd of="EDITED/units/$unit/offline.call.f32" bs=1 seek=1 conv=notrunc status=none
expect 2 "$GEMMGATE" merge A EDITED C -o NONE2
says 'was changed: its XXH128 is'
sed -i 's/Linux [^"]*/&/; s/"openblas": "/"openblas": "other /' B/manifest.json
expect 4 "$GEMMGATE" merge A B C -o NONE3
says 'openblas'
expect 2 "$GEMMGATE" merge A B
expect 2 "$GEMMGATE" merge -o NONE4

# Interrupted: 75, nothing measured lost.
for signal in TERM HUP; do
    rm -rf STOPPED
    "$GEMMGATE" run "${common[@]}" --device host --seed 5 --duration 0.4 --precision 0.01 -o STOPPED >out 2>err &
    pid=$!
    until [ "$(find STOPPED/units -path '*.visits/2' 2>/dev/null | wc -l)" -ge 1 ]; do
        kill -0 $pid || { cat err >&2; fail 'it ended before it could be stopped'; }
        sleep 0.05
    done
    # As a scheduler or a terminal does: every process of the job, and more than once; the first may be enough.
    pkill -"$signal" -P $pid || true
    kill -"$signal" $pid 2>/dev/null || true
    kill -"$signal" $pid 2>/dev/null || true
    status=0
    wait $pid || status=$?
    [ "$status" = 75 ] || { cat err >&2; fail "interrupted by SIG$signal with status $status"; }
    kept=$(find STOPPED/units -name state.json -exec cat {} + | awk -F '[ ,]+' '$2 == "\"visit\":" { visits += $3 } END { print visits }')
    expect 0 "$GEMMGATE" run "${common[@]}" --device host --seed 5 --duration 0.4 --precision 0.01 -o STOPPED --resume
    grep -q "^resuming: 0 of 8 units are there already, and $kept of the 16 visits of the others$" err || { cat err >&2; fail 'not all that was measured was kept'; }
    expect 0 "$GEMMGATE" verify STOPPED
    [ "$(column STOPPED/checks.csv outcome | sort -u)" = ok ] || fail 'a kernel is blamed for the signal'
done

# One that is to outlive its terminal goes on.
hold "$scratch/NOHUP/units/.*.visits/1"
nohup "$GEMMGATE" run "${common[@]}" --device host --seed 5 -o NOHUP >out 2>err &
pid=$!
held $pid
kill -HUP $pid
go
wait $pid || { cat err >&2; fail 'nohup is not heeded'; }
echo ok
