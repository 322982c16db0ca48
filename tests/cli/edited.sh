#!/usr/bin/env bash
# A run whose files were changed: what shows it says so, and nothing is decided by it.
# Covers: reports/run/digests.c reports/run/verify.c reports/run/opened.c reports/tables/agree.c
. "$(dirname "$0")/lib.sh"

two_kernels set
for seed in 1 2; do
    expect 0 "$GEMMGATE" run --device host --shapes 32x32x32,48x16x64 --seed "$seed" --warmup 0.02 --duration 0.1 \
        --candidates set -o "RUN$seed" --visits 4
done
expect 0 "$GEMMGATE" verify RUN1
told ' 0 differ' && ! grep -q digests out || fail 'an unchanged run is not verified'
expect 0 "$GEMMGATE" report RUN1
! grep -q 'Not verified' RUN1/report/report.md || fail 'an unchanged run is said not to be verified'
expect 0 "$GEMMGATE" agree RUN1 RUN2
! grep -q 'Not verified' out || fail 'unchanged runs are said not to be verified'
! command -v xxhsum >/dev/null || (cd RUN1 && xxhsum -c xxh128sums >/dev/null) || fail 'xxhsum cannot check the digests'

# shown FILE: every page of CHANGED says that FILE was changed, and verify and promote refuse it.
shown() {
    local says="Not verified: CHANGED/$1 is not as it was when the run was complete"
    ! cmp -s "RUN1/$1" "CHANGED/$1" || fail "$1 was not changed"
    expect 0 "$GEMMGATE" report CHANGED
    told "$says"
    grep -qF "**Not verified**: CHANGED/$1 is not" CHANGED/report/report.md || fail "report.md does not say that $1 was changed"
    expect 0 "$GEMMGATE" agree RUN2 CHANGED
    told "$says"
    expect 2 "$GEMMGATE" verify CHANGED
    says "CHANGED/$1 is not as it was when the run was complete"
    expect 2 "$GEMMGATE" baseline promote CHANGED --store STORE --force 'a test'
    says "CHANGED/$1 is not as it was when the run was complete"
    [ ! -e STORE ] || fail 'a changed run was promoted'
    rm -r CHANGED
}
cp -r RUN1 CHANGED
sed -i 's/"start": "..../"start": "2001/' CHANGED/manifest.json
shown manifest.json
cp -r RUN1 CHANGED
sed -i '2s/\.\([0-9]\)/.1\1/' CHANGED/times.csv
shown times.csv
cp -r RUN1 CHANGED
unit=32x32x32.blocked other=48x16x64.blocked
printf '\x7f' | dd of="CHANGED/units/$unit/offline.call.f32" bs=1 seek=1 conv=notrunc status=none
shown "units/$unit/offline.call.f32"

# Units that were swapped, in a run that has digests and in one that has none.
cp -r RUN1 CHANGED
mv "CHANGED/units/$unit" CHANGED/units/x && mv "CHANGED/units/$other" "CHANGED/units/$unit" && mv CHANGED/units/x "CHANGED/units/$other"
cp -r CHANGED SWAPPED
shown "units/$unit/checks.csv"
rm SWAPPED/xxh128sums
expect 2 "$GEMMGATE" verify SWAPPED
says "SWAPPED/units/$unit: holds the unit $other"

# Where nothing shows whether a file was changed, the page says that.
cp -r RUN1 BARE
rm BARE/xxh128sums
expect 0 "$GEMMGATE" report BARE
told 'Not verified: BARE has no digests of its files, so nothing shows whether they were changed'
expect 0 "$GEMMGATE" verify BARE
told '; BARE has no digests of its files, so nothing shows whether they were changed'
# Such a run is no baseline, unless there is a reason.
sed -i 's/"start": "..../"start": "2001/' BARE/manifest.json
expect 2 "$GEMMGATE" baseline promote BARE --store STORE
says 'BARE has no digests of its files, so nothing shows whether they were changed; measure again; to keep it all the same'
[ ! -e STORE ] || fail 'a run without digests was promoted'
# A busy machine's controls may refuse it later on.
"$GEMMGATE" baseline promote BARE --store STORE --force 'they were lost' >out 2>err || true
says 'BARE has no digests of its files, so nothing shows whether they were changed; measure again; it is promoted all the same: they were lost'
# A gate on it or against it says so, whatever it finds.
gated() { # 1|0 RUN WORD...: whether the summary warns of RUN
    "$GEMMGATE" gate "${@:3}" >out 2>err || true
    [ "$(grep -cF "**warning:** $2 has no digests of its files, so nothing shows" "$3/gate/summary.md")" = "$1" ] ||
        { cat out err "$3/gate/summary.md" >&2; fail "the summary of gate ${*:3} tells of $2, or not: not $1"; }
}
gated 1 BARE BARE --against RUN1
gated 1 BARE RUN2 --against BARE
gated 0 RUN RUN2 --against RUN1
sed -i 's/"complete": true/"complete": false/' BARE/manifest.json
expect 0 "$GEMMGATE" report BARE
told 'Not verified: BARE is not complete'

# A format that this version does not know is refused by whoever opens the run.
cp -r RUN1 EARLIER
sed -i 's/"format": [0-9]*/"format": 6/' EARLIER/plan.json
for command in 'verify EARLIER' 'gate EARLIER --against RUN1' 'agree RUN1 EARLIER' 'report EARLIER' 'compare RUN1 EARLIER' \
    'baseline promote EARLIER --store STORE'; do
    # shellcheck disable=SC2086
    expect 2 "$GEMMGATE" $command
    says 'EARLIER is of format 6, and this version reads format 20'
done

# What is imported and merged has digests, too.
mkdir shards
for i in 1 2; do
    expect 0 "$GEMMGATE" run --device host --shapes 32x32x32,48x16x64 --seed 1 --warmup 0.02 --duration 0.1 --shard $i/2 \
        --candidates "$SOURCE/candidates/examples/host" -o shards/$i --visits 2
done
expect 0 "$GEMMGATE" merge shards/1 shards/2 -o MERGED
expect 0 "$GEMMGATE" report MERGED
! grep -q 'Not verified' MERGED/report/report.md || fail 'a merged run is not verified'
