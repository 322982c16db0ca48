#!/usr/bin/env bash
# kill -9 at 30 random moments, then --resume, gives a complete run with every unit once.
# Covers: bench/run bench/jobs reports/run
. "$(dirname "$0")/lib.sh"

two_kernels set
args=(run --device host --shapes 16x16x16,24x24x24,32x32x32,40x40x40 --baselines openblas-nn
    --candidates "$PWD/set" --visits 2 --warmup 0.02 --duration 0.1 -o RUN)
"$GEMMGATE" list candidates set >/dev/null
# The judge, or a judge that it has started for checks, is killed where it is about to make, keep or rename its n-th
# file. In the second case both are.
cat >killed.c <<'END'
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
static int steps;
static pid_t judge;
__attribute__((constructor)) static void begin(void) {
    judge = getpid();
    steps = atoi(getenv("STEPS"));
    unsetenv("STEPS");
    unsetenv("LD_PRELOAD");
}
static void step(void) {
    if (--steps == 0) {
        kill(judge, SIGKILL);
        raise(SIGKILL);
    }
}
int fsync(int file) {
    step();
    return (int)syscall(SYS_fsync, file);
}
int ftruncate(int file, off_t length) {
    step();
    return (int)syscall(SYS_ftruncate, file, length);
}
int mkdir(const char *path, mode_t mode) {
    step();
    return (int)syscall(SYS_mkdir, path, mode);
}
int rename(const char *from, const char *to) {
    step();
    return (int)syscall(SYS_rename, from, to);
}
END
cc -D_GNU_SOURCE -shared -fPIC -o killed.so killed.c
killed=("${args[@]/%RUN/KILLED}")
RANDOM=47 # the same 30 moments each time
for moment in $(seq 30); do
    resume=()
    [ -d KILLED ] && resume=(--resume)
    status=0
    STEPS=$((1 + RANDOM % 64)) LD_PRELOAD=$scratch/killed.so "$GEMMGATE" "${killed[@]}" "${resume[@]}" >/dev/null 2>err || status=$?
    case $status in
    137) ;;
    0) # it was over before: another one is killed from now on
        expect 0 "$GEMMGATE" verify KILLED
        rm -r KILLED
        ;;
    *) cat err >&2; fail "moment $moment: a run that was killed goes on with status $status" ;;
    esac
done
resume=()
[ -d KILLED ] && resume=(--resume)
expect 0 "$GEMMGATE" "${killed[@]}" "${resume[@]}"
expect 0 "$GEMMGATE" verify KILLED
[ "$(ls KILLED/units | wc -l)" = 8 ] || fail "units: $(ls -A KILLED/units)"
[ "$(tail -n +2 KILLED/ratios.csv | wc -l)" = 8 ] || { cat KILLED/ratios.csv >&2; fail "ratios"; }
[ "$(tail -n +2 KILLED/ratios.csv | sort -u | wc -l)" = 8 ] || fail "a unit was measured twice"
grep -q '"complete": *true' KILLED/manifest.json || fail "not marked complete"

expect 0 "$GEMMGATE" "${args[@]}"
cp -r RUN PART
rm -r PART/units/24x24x24.*
sed -i 's/"complete": true/"complete": false/' PART/manifest.json
expect 0 "$GEMMGATE" report PART
grep -q '^This run is not complete: 6 of 8 units are there\. To do: finish it with --resume\. ' out || { cat out >&2; fail 'nor is it said on the terminal'; }
grep -q '^| complete | no: 6 of 8 units are there |$' PART/report/report.md || fail 'how much is there is not said'
grep -q '^\*\*This run is not complete\*\*: 6 of 8 units are there\. ' PART/report/report.md || fail 'nor is it said first'
cp -r PART TWICE
cp -r TWICE/units/16x16x16.other TWICE/units/24x24x24.other
expect 2 "$GEMMGATE" report TWICE
says 'TWICE/units/24x24x24.other: holds the unit 16x16x16.other'
expect 0 "$GEMMGATE" "${args[@]}" --resume
grep -q 'resuming: 8 of 8' err || fail "a complete run was run again"

# Visits are the outer loop: killed as the third visit begins, whatever has been measured by then is kept, and goes
# into the units that are made of it. Only the visit in hand is measured again.
visits=("${args[@]/%RUN/VISITS}" --seed 3 --visits 3 --duration 0.3)
hold "$scratch/VISITS/units/.*.visits/3"
"$GEMMGATE" "${visits[@]}" >/dev/null 2>err &
pid=$!
held $pid
"$GEMMGATE" report VISITS >out 2>/dev/null || fail 'there is no report of a run that is being measured'
! grep -q ' openblas-nn ' out || { cat out >&2; fail 'visits are read that may go meanwhile'; }
kill -9 $pid
go
wait $pid || true
flock --shared VISITS true # its runners have gone
grep -q "^visit 1 of 3, 8/8 " err && ! grep -q "^visit 3 " err || { cat err >&2; fail 'not all units come before any again'; }
[ "$(ls VISITS/units | wc -l)" = 0 ] || fail 'a unit is said to be whole that has not all its visits'
expect 0 "$GEMMGATE" report VISITS
grep -q -E '^This run is not complete: 0 of 8 units are there, and (9|1[0-6]) of the 24 visits of the others\. ' out || { cat out >&2; fail 'visits are taken for units'; }
# Of two visits and more it is told what they show.
for kernel in blocked other; do
    shapes=$(find VISITS/units -path "*.$kernel.visits/3" | wc -l)
    told=$(awk -F, -v kernel=$kernel '$1 == kernel && $2 == "offline" { print $5 }' VISITS/report/table1.csv)
    [ "${told:-0}" = "$shapes" ] || { cat out >&2; fail "$kernel has ${told:-0} shapes in the place of $shapes"; }
done
[ "$(find VISITS/units -path '*.visits/3' | wc -l)" != 0 ] || fail 'no unit has two visits'
cp -r VISITS TORN
truncate -s -4 TORN/units/.16x16x16.other.visits/*/offline.call.f32
expect 2 "$GEMMGATE" report TORN
says ' is damaged: remove it, and --resume measures the unit from its first visit'
cp -r VISITS DAMAGED
first=$(md5sum VISITS/units/.16x16x16.other.visits/*/offline.call.f32 | cut -c1-32)
size=$(stat -c %s VISITS/units/.16x16x16.other.visits/*/offline.call.f32)
for part in VISITS/units/.*.visits; do mkdir "$part/9.part"; done # as one that is killed as it writes leaves it
expect 0 "$GEMMGATE" "${visits[@]}" --resume
grep -qE '^resuming: 0 of 8 units are there already, and (9|1[0-6]) of the 24 visits of the others$' err || { cat err >&2; fail 'what is there is not said'; }
[ "$(grep -c '^visit 1 of 3, ' err)" = 0 ] || { cat err >&2; fail 'a first visit was measured again'; }
[ "$(head -c "$size" VISITS/units/16x16x16.other/offline.call.f32 | md5sum | cut -c1-32)" = "$first" ] || fail 'samples of before are lost'
[ "$(ls -A VISITS/units | wc -l)" = 8 ] || { ls -A VISITS/units >&2; fail 'what was kept between visits is still there'; }
[ "$(column VISITS/ratios.csv visits | sort -u)" = 3 ] || fail 'not every unit has three visits'
expect 0 "$GEMMGATE" verify VISITS

# Visits so far have the rows that a whole unit with these samples has.
cp -r VISITS BEGUN
sed -i 's/"complete": true/"complete": false/' BEGUN/manifest.json
for unit in VISITS/units/*; do
    part=BEGUN/units/.$(basename "$unit").visits
    mkdir "$part"
    mv "BEGUN/units/$(basename "$unit")" "$part/3"
    echo '{"visit": 3}' >"$part/3/state.json"
done
expect 0 "$GEMMGATE" report VISITS
expect 0 "$GEMMGATE" report BEGUN --again VISITS
for file in table1.csv shapes.csv; do # but for the last digit that a file has
    awk -F, 'NR == FNR { line[FNR] = $0; next }
        { fields = split(line[FNR], whole); for (i = 1; i <= fields; i++) if ($i != whole[i] && ($i - whole[i]) ^ 2 > 1e-18 * $i ^ 2) bad = 1 }
        END { exit bad || FNR < 3 }' {VISITS,BEGUN}/report/$file || fail "visits so far have other rows in $file than a unit"
done

# Another order in each visit, and in every run of a seed the same. A terminal is told each unit.
order() { tr '\r' '\n' <seen | sed -n "s|.*visit $1 of 3, [0-8]/8.*: \([0-9x]*\.[a-z]*\).*|\1|p" | uniq; }
python3 -c 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]))' "$GEMMGATE" "${visits[@]/%VISITS/WHOLE}" >seen </dev/null
order 1 >one
order 2 >two
! cmp -s one two && cmp -s <(sort one) <(sort two) || { cat -v seen >&2; fail 'both visits have the same order, or other units'; }
diff <(ls WHOLE/units) <(ls VISITS/units) >/dev/null || fail 'a run that was killed has other units'

# A merge takes whole units only, and says where others have begun.
expect 3 "$GEMMGATE" merge DAMAGED -o MERGED
grep -qE '^16x16x16\.other; DAMAGED has [12] of its visits$' out || { cat out >&2; fail 'visits that a shard has are not told'; }
[ -z "$(ls -A MERGED/units)" ] || fail 'visits are merged as if they were a unit'

# Of the format before nothing is gone on with, and both formats are named.
cp -r DAMAGED BEFORE
format=$(sed -n 's/^ "format": \([0-9]*\),$/\1/p' BEFORE/plan.json)
sed -i 's/^ "format": [0-9]*,$/ "format": 5,/' BEFORE/plan.json
expect 2 "$GEMMGATE" "${visits[@]/%VISITS/BEFORE}" --resume
says "BEFORE was begun in format 5 and this gemmgate measures in format $format: go on with the gemmgate that began it"
diff -r -x plan.json DAMAGED BEFORE || fail 'something of it is lost'

# Visits that cannot agree on their arms: both sides are named, none is added to the other, and none is lost.
cp -r DAMAGED ARMS
sed -i 's/openblas-nn/openblas-xx/' ARMS/units/.16x16x16.other.visits/*/samples.json
md5sum ARMS/units/.16x16x16.other.visits/*/* >kept
expect 2 "$GEMMGATE" "${visits[@]/%VISITS/ARMS}" --resume
says 'has other arms than the visits before it: openblas-nn, other, aa:openblas-nn, '
says '; they have openblas-xx, other, aa:openblas-xx, '
md5sum --quiet -c kept || fail 'what was measured has changed'

# Visits that cannot be read are not measured around.
echo '{' >"$(ls -d DAMAGED/units/.16x16x16.other.visits/[0-9]*)/state.json"
expect 2 "$GEMMGATE" "${visits[@]/%VISITS/DAMAGED}" --resume
says 'state.json'
rm -r DAMAGED/units/.16x16x16.other.visits
expect 0 "$GEMMGATE" "${visits[@]/%VISITS/DAMAGED}" --resume
expect 0 "$GEMMGATE" verify DAMAGED

# A second one does not measure beside the first, but goes on when that is gone, however it went.
cp -r PART SHARED
flock SHARED sleep 600 &
locks=$!
until ! flock -n SHARED true; do sleep 0.05; done
expect 2 "$GEMMGATE" "${args[@]/%RUN/SHARED}" --resume
says 'SHARED: another gemmgate is measuring into it'
pkill -9 -P $locks
wait $locks || true
expect 0 "$GEMMGATE" "${args[@]/%RUN/SHARED}" --resume

# Who has measured nothing is not named, and another machine does not go on.
sed -zi 's/"measured_by": \[[^]]*\]/"measured_by": ["1abcdef"]/' RUN/manifest.json
expect 0 "$GEMMGATE" "${args[@]}" --resume
[ "$(sed -z 's/.*"measured_by": \[\([^]]*\)\].*/\1/' RUN/manifest.json | tr -d ' \n')" = '"1abcdef"' ] ||
    { grep -A3 measured_by RUN/manifest.json >&2; fail 'who resumed and measured nothing is said to have measured'; }
cp -r PART OTHER
sed -i 's/"model": ".*"/"model": "another CPU"/' OTHER/manifest.json
expect 2 "$GEMMGATE" "${args[@]/%RUN/OTHER}" --resume
says 'OTHER was begun on another machine, or with other settings of it: cpu.model: here '
[ "$(ls OTHER/units | wc -l)" = 6 ] || fail 'it has gone on all the same'

# A run that meets a full disk says so, exits 2 and leaves no torn unit.
mkdir small
if mount -t tmpfs -o size=40k tmpfs small 2>/dev/null; then
    trap 'umount "$scratch/small"; rm -rf "$scratch"' EXIT
    expect 2 "$GEMMGATE" run --device host --shapes 16x16x16 --baselines openblas-nn,openblas-tn \
        --warmup 0.01 --duration 0.5 -o small/RUN
    says 'No space left'
    [ -z "$(find small/RUN/units -name '*.part')" ] || fail 'a torn unit was left'
else
    echo 'full disk not tested: mounting a tmpfs is not allowed here'
fi
echo ok
