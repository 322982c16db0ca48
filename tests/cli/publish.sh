#!/usr/bin/env bash
# ci/publish: the archive has the whole run, and nothing that names the machine.
# Covers: ci/publish
. "$(dirname "$0")/lib.sh"

export GEMMGATE
publish() { # STATUS ARGS...
    local status=$1
    shift
    expect "$status" "$SOURCE/ci/publish" "$@"
}

set="$PWD/home/John Doe & Söhne_/set"
two_kernels "$set"
sed -i '1i // a line of the release' "$set"/*.c
# Refused, by a compiler that names its folder, and one that nothing else names.
echo '#include "/srv/Jane Roe & Sons/nowhere.h"' >"$set/64x64x64.c"
fast=(--device host --shapes 64x64x64,64x128x64 --visits 2 --warmup 0.05 --duration 0.2 --candidates "$set")
measured() { # RUN SEED UUID: as if on a GPU each of two hosts
    for shard in 1 2; do
        expect 0 "$GEMMGATE" run "${fast[@]}" --seed "$2" --mode offline,server --shard $shard/2 -o "part$shard-$1"
    done
    expect 0 "$GEMMGATE" merge "part1-$1" "part2-$1" -o "$1"
    find "$1" \( -name '*.csv' -o -name manifest.json \) -exec \
        sed -i "s/1\/2 $(uname -n) /1\/2 gpu_node7.example /; s/2\/2 $(uname -n) /2\/2 node8.example /" {} +
    sed -i "s/\"uuid\": \"\"/\"uuid\": \"GPU-$3-89ab-cdef-0123-456789abcdef\"/; s/\"pci\": \"\"/\"pci\": \"0000:C1:00.0\"/" "$1/manifest.json"
    rm "$1/xxh128sums" # these are of the files as they were
}
measured RUN 5 01234567
measured SECOND 6 76543210

# What it needs it asks for first.
mkdir without
for tool in /usr/bin/* /bin/*; do
    [ "${tool##*/}" = xz ] || ln -sf "$tool" without/
done
PATH=$PWD/without publish 2 RUN one.tar.xz
says 'ci/publish: no xz: apt-get install xz-utils'
publish 0 RUN packed/one.tar.xz
grep -q '^packed/one\.tar\.xz: [0-9]* kB$' out || { cat out >&2; fail 'the size is not told'; }
[ "$(ls packed)" = one.tar.xz ] || { ls packed >&2; fail 'something else is left'; }
publish 0 RUN again.tar.xz
cmp packed/one.tar.xz again.tar.xz || fail 'the same run gives another archive'

# What a third party does.
mkdir elsewhere
tar -xJf packed/one.tar.xz -C elsewhere
cmp RUN/plan.json elsewhere/run/plan.json || fail 'the plan is another'
expect 0 "$GEMMGATE" verify elsewhere/run
grep -q '^5 units, .* rows derived again from [1-9][0-9]* samples, 0 differ; elsewhere/run has no digests' out || { cat out >&2; fail 'not all is verified'; }
expect 0 "$GEMMGATE" report elsewhere/run
[ -e RUN/command.json ] && grep -q 'gemmgate run .*--visits 2' elsewhere/run/report/report.md || fail 'the unpacked run does not say how it was made'
expect 0 "$GEMMGATE" report RUN
cmp RUN/report/shapes.csv elsewhere/run/report/shapes.csv || fail 'the unpacked run has another report'
cp elsewhere/run/ratios.csv kept
awk -F, -v OFS=, 'NR == 2 { $11 *= 1.5 } { print }' kept >elsewhere/run/ratios.csv
expect 2 "$GEMMGATE" verify elsewhere/run
cp kept elsewhere/run/ratios.csv

# What was in the run, and is not in the archive, nor in the page that is made of it.
gone() { # WHAT TEXT
    grep -rqF -- "$2" RUN "$set" --include='*.c' --include='*.csv' --include='*.json' || fail "$1: the run does not have it"
    ! grep -rF -- "$2" elsewhere >&2 || fail "$1 is in the archive"
}
gone 'a UUID' GPU-01234567
gone 'a PCI address' 0000:C1
gone 'a host' node7
gone 'another host' node8
gone 'an absolute path' "$PWD"
gone 'a folder with blanks' Doe
gone 'what follows a blank' Söhne
gone 'a folder that a compiler names' Sons
gone 'a kernel' 'a line of the release'
grep -q "1/2 host_1 host" elsewhere/run/manifest.json && grep -q "2/2 host_2 host" elsewhere/run/manifest.json || fail "hosts are not told apart"
grep -q '"folder": "set"' elsewhere/run/manifest.json || fail 'the set has no name'
grep -q '64x64x64\.c:1:10: fatal error: nowhere\.h: No such' elsewhere/run/checks.csv || fail 'what the compiler said is another'
ln -s SECOND link # as runs often are that lie on another disk
publish 0 link second.tar.xz
mkdir other
tar -xJf second.tar.xz -C other
[ "$(grep -ho '"uuid": "card_[0-9a-f]*"' {elsewhere,other}/run/manifest.json | sort -u | wc -l)" = 2 ] || fail 'cards are not told apart'
expect 0 "$GEMMGATE" agree elsewhere/run other/run

# Raw samples that are too many stay away, and that is told with their size.
cp -r RUN MANY
unit=(MANY/units/*/)
head -c 16500000 /dev/urandom >"${unit[0]}more"
publish 0 MANY fewer.tar.xz
says 'the run with its raw samples is 16'
says 'fewer.tar.xz is without them'
tar -tJf fewer.tar.xz >list
grep -qx run/checks.csv list && ! grep -q units list || { cat list >&2; fail 'other files than the rows are packed'; }

# Refused: what is there already, an edited run, and what is none.
publish 2 RUN again.tar.xz
says 'again.tar.xz is there already'
sed -i '2s/,ok,/,nan,/' RUN/checks.csv
publish 2 RUN edited.tar.xz
says 'RUN is not clean'
publish 2 NOWHERE none.tar.xz
for words in '' RUN 'RUN FOLDER' 'RUN a.tar.xz B'; do
    # shellcheck disable=SC2086
    publish 2 $words
    says '--help'
done
expect 0 "$SOURCE/ci/publish" -h
grep -q 'ci/publish RUN FILE' out || fail 'no help'
[ "$(ls edited* none* a.tar.xz 2>/dev/null)" = '' ] || fail 'something is left of what was refused'
echo ok
