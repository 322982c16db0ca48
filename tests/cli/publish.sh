#!/usr/bin/env bash
# ci/publish: all that the page needs is in the folder, and nothing that names the machine.
# Covers: ci/publish reports/report reports/sections reports/page
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
printf '%s\n' set,gpu,accumulate,lens,suite,shapes,quantity,mode,baseline,percent,tolerance,text,source \
    set,none,f32,call,,2,speedup,offline,openblas-max,1,3,t,x >claims.csv

# What it needs it asks for first.
mkdir without
for tool in /usr/bin/* /bin/*; do
    [ "${tool##*/}" = xz ] || ln -sf "$tool" without/
done
PATH=$PWD/without publish 2 RUN FOLDER
says 'ci/publish: no xz: apt-get install xz-utils'
[ ! -e FOLDER.part ] || fail 'it has begun without xz'
measured THIRD 7 abcdef01
publish 0 RUN FOLDER --claims "$PWD/claims.csv" --published RUN --again SECOND --again THIRD
grep -q '^FOLDER: [0-9]* kB, and run\.tar\.xz: [0-9]* kB$' out || { cat out >&2; fail 'the size is not told'; }
[ ! -e FOLDER.part ] || fail 'something is left'
diff <(find FOLDER -mindepth 1 ! -name 'figure*.png' -printf '%f\n' | LC_ALL=C sort) - <<'END' || fail 'other files than wanted'
LICENSE
README.md
SHA256SUMS
deviation.csv
manifest.json
plan.json
refused.csv
report.html
run.tar.xz
shapes.csv
table1.csv
END
grep -q '^| other | call | offline | openblas-max | 2 | .* | 1\.000 | 2 | ' FOLDER/README.md && [ -s FOLDER/figure3-other.png ] ||
    { grep -A9 '^## Beside' FOLDER/README.md >&2; fail 'the run is not beside itself'; }
links=$(grep -o '\]([^)#]*)' FOLDER/README.md | tr -d '()]')
for link in $links; do
    [ -s "FOLDER/$link" ] || fail "README.md points to $link, which is not there"
done
figures=(FOLDER/*.png)
[ ${#figures[@]} -ge 4 ] && [ "$(grep -c '\.png$' <<<"$links")" = ${#figures[@]} ] || fail 'figures that nothing shows'

# Numbers, script and hash are as they were.
for name in shapes table1; do
    cmp RUN/report/$name.csv FOLDER/$name.csv || fail "$name.csv is another"
done
cmp RUN/plan.json FOLDER/plan.json || fail 'the plan is another'
script() { sed -n '/<script/,/<\/script/p' "$1"; }
[ -n "$(script FOLDER/report.html)" ] || fail 'no script'
cmp <(script RUN/report/report.html) <(script FOLDER/report.html) || fail 'the script is another'
[ "$(column FOLDER/shapes.csv lens | grep -c call)" = 8 ] || fail 'not every shape, kernel and mode is there'
grep -q '^64,64,64,set,,,,,,,,no-compile$' FOLDER/shapes.csv ||
    fail 'nothing of the refused kernel'

# What a third party does, by the page's own commands.
(cd FOLDER && sha256sum --quiet -c SHA256SUMS) || fail 'the checksums are of other files'
[ "$(wc -l <FOLDER/SHA256SUMS)" = $(($(find FOLDER -type f | wc -l) - 1)) ] || fail 'a file has no checksum'
grep -q '^git worktree add \.\./measured \([0-9a-f]*\|COMMIT\)$' FOLDER/README.md || fail 'the commit is not told'
grep -q '^\.\./measured/build/bench/gemmgate verify \.\./run$' FOLDER/README.md || fail 'verify is not told'
mkdir elsewhere
tar -xJf FOLDER/run.tar.xz -C elsewhere
expect 0 "$GEMMGATE" verify elsewhere/run
grep -q '^5 units, .* rows derived again from [1-9][0-9]* samples, 0 differ; elsewhere/run has no digests' out || { cat out >&2; fail 'not all is verified'; }
expect 0 "$GEMMGATE" report elsewhere/run
[ -e RUN/command.json ] && grep -q 'gemmgate run .*--visits 2' elsewhere/run/report/report.md || fail 'the unpacked run does not say how it was made'
cmp elsewhere/run/report/shapes.csv FOLDER/shapes.csv || fail 'the unpacked run has another report'
cp elsewhere/run/ratios.csv kept
awk -F, -v OFS=, 'NR == 2 { $11 *= 1.5 } { print }' kept >elsewhere/run/ratios.csv
expect 2 "$GEMMGATE" verify elsewhere/run
cp kept elsewhere/run/ratios.csv
mv elsewhere/run FOLDER/unpacked # for what follows, which looks everywhere

# What was in the run, and is not in the folder.
gone() { # WHAT TEXT
    grep -rqF -- "$2" RUN "$set" --include='*.c' --include='*.csv' --include='*.json' --include='*.html' ||
        fail "$1: the run does not have it"
    ! grep -rF -- "$2" FOLDER >&2 || fail "$1 is in the folder"
}
gone 'a UUID' GPU-01234567
gone 'a PCI address' 0000:C1
gone 'a host' node7
gone 'another host' node8
gone 'an absolute path' "$PWD"
gone 'a folder with blanks' Doe
gone 'what follows a blank and what HTML and Markdown escape' Söhne
gone 'a folder that a compiler names' Sons
gone 'a kernel' 'a line of the release'
grep -q "1/2 host_1 host" FOLDER/manifest.json && grep -q "2/2 host_2 host" FOLDER/manifest.json || fail "hosts are not told apart"
grep -q '(3 cards, mean ' FOLDER/README.md || fail 'the runs of other cards are not beside this one'
ln -s SECOND link # as runs often are that lie on another disk
expect 0 "$SOURCE/ci/publish" link SECOND.page
[ "$(grep -ho '"uuid": "card_[0-9a-f]*"' FOLDER/manifest.json SECOND.page/manifest.json | sort -u | wc -l)" = 2 ] ||
    fail 'cards are not told apart'
grep -q '"folder": "set"' FOLDER/manifest.json || fail 'the set has no name'
grep -q '64x64x64\.c:1:10: fatal error: nowhere\.h: No such' FOLDER/refused.csv || fail 'what the compiler said is another'
grep -q 'claims\.csv' FOLDER/report.html && grep -q 'claims\.csv' FOLDER/README.md || fail 'the claims are not there'

# Raw samples that are too many stay away, and that is told with their size.
cp -r RUN MANY
unit=(MANY/units/*/)
head -c 16500000 /dev/urandom >"${unit[0]}more"
publish 0 MANY FEWER
says 'the run with its raw samples is 16'
says 'run.tar.xz is without them'
grep -q '^The raw samples are 16[0-9]* kB, packed, and are not here' FEWER/README.md && ! grep -q '^\.\./measured.* verify' FEWER/README.md ||
    fail 'the page does not say what is missing'
tar -tJf FEWER/run.tar.xz >list
grep -qx run/checks.csv list && ! grep -q units list || { cat list >&2; fail 'other files than the rows are packed'; }

# Refused: what is there already, what would be too much, an edited run, and what is none.
publish 2 RUN FOLDER
says 'FOLDER is there already'
printf '#!/bin/sh\n%s "$@" && [ "$1" != report ] || head -c 8000000 /dev/zero >>RUN/report/report.html\n' \
    "$GEMMGATE" >large && chmod +x large
GEMMGATE=$PWD/large publish 2 RUN LARGE
says 'the largest is report.html'
sed -i '2s/,ok,/,nan,/' RUN/checks.csv
publish 2 RUN EDITED
says 'RUN is not clean'
publish 2 NOWHERE NONE
for words in '' 'RUN' 'RUN A B' 'RUN A --claims' 'RUN A --claim X'; do
    # shellcheck disable=SC2086
    publish 2 $words
    says '--help'
done
expect 0 "$SOURCE/ci/publish" -h
grep -q 'ci/publish RUN FOLDER' out || fail 'no help'
[ "$(ls -d LARGE* EDITED* NONE* A* 2>/dev/null)" = '' ] || fail 'something is left of what was refused'
echo ok
