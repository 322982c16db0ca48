#!/usr/bin/env bash
# The gate as CI calls it, on the host device. The host is noisy, and a gate may say so (5) whatever
# was planted: what is asked is that rows are what they should be and that the exit status is the one
# in gate.json.
# Covers: bench/command/gate.c bench/run ci/policies reports/gate tests/cli/gate.sh
. "$(dirname "$0")/lib.sh"

cat >policy.ini <<'INI'
[gate]
screening_visits = 3
confirm_visits = 9
alpha = 0.1
margin = 10 %
INI
sed 's/10/100/' policy.ini >near.ini
mkdir base slower near wrong more
printf '#define SLOWER_PERCENT 0\n#include "%s"\n' "$SOURCE/candidates/examples/gate/release.c" >base/mine.c
printf '#define SLOWER_PERCENT 400\n#include "%s"\n' "$SOURCE/candidates/examples/gate/release.c" >slower/mine.c
printf '#define SLOWER_PERCENT 125\n#include "%s"\n' "$SOURCE/candidates/examples/gate/release.c" >near/mine.c
printf '#include "%s"\n' "$SOURCE/tests/adversarial/both/wrong-element.c" >wrong/mine.c
cp base/* more
cp "$SOURCE/candidates/examples/host/"{blocked.c,half.h} more
measured=(--device host --seed 5 --warmup 0.1 --duration 0.2)
planted=48x64x32 # where candidates/examples/gate/release.c is slower
shapes=(--shapes "32x32x32,$planted")

# gate STATUSES ARGS...: ends with one of them, and gate.json says the same.
gate() {
    local want=$1 got=0
    shift
    "$GEMMGATE" gate "$@" >out 2>err || got=$?
    [[ ",$want," = *",$got,"* ]] || { cat out err >&2; fail "status $got, not $want: gate $*"; }
    local run=${*: -1}
    [ -d "$run/gate" ] || run=$1
    [ "$got" = 77 ] || grep -q "\"exit_status\": $got," "$run/gate/gate.json" ||
        fail "gate.json of $run does not say $got"
    for file in gate.csv gate.json junit.xml summary.md gate.html annotations.txt; do
        [ -s "$run/gate/$file" ] || fail "no $run/gate/$file"
    done
    local word
    word=$(sed -nE 's/^ "verdict": "([a-z-]*)",$/\1/p' "$run/gate/gate.json")
    head -n 1 "$run/gate/annotations.txt" | grep "^::[a-z]* title=gemmgate $word::.* (exit status $got)\$" >/dev/null ||
        { cat "$run/gate/annotations.txt" >&2; fail 'the annotations do not begin with the verdict'; }
    [ "$got" != 5 ] || ! grep -q confirmed "$run/gate/annotations.txt" || { cat "$run/gate/annotations.txt" >&2; fail 'a kernel is blamed for the machine'; }
}
status_of() { # RUN SHAPE CANDIDATE
    awk -F, -v key="${2//x/,},$3" 'NR > 1 && $2 "," $3 "," $4 "," $5 == key { print $1 }' "$1/gate/gate.csv"
}

# caught RUN COMMAND...: makes the run, in which the planted row is slower. Where others have disturbed the
# machine the row tells what it shows nevertheless; after three of them this is no place for a gate, which
# ends the test with 77, as skipped.
caught() {
    local run=$1
    shift
    for _ in 1 2 3; do
        rm -rf "$run"
        "$@"
        case "$(status_of "$run" $planted mine)" in
        slower) return ;;
        environment) grep -q '^environment,.*its times would show a slowdown' "$run/gate/gate.csv" && continue ;;
        esac
        cat "$run/gate/gate.csv" >&2
        fail "$run: not caught"
    done
    echo 'the machine is too busy for a gate' >&2
    exit 77
}

slower=("${measured[@]}" "${shapes[@]}" --policy policy.ini --candidates slower --against base)
caught SLOWER gate 1,5 "${slower[@]}" -o SLOWER
[ "$(status_of SLOWER 32x32x32 mine)" != slower ] || fail 'a false alarm'
! grep -q '/ library' SLOWER/gate/gate.html || fail 'a library that must be beaten where there is none'
grep -q "^::error file=.*slower/mine.c" SLOWER/gate/annotations.txt || fail 'no annotation on the file'
# A row that the screening does not clear is measured again.
near=("${measured[@]}" "${shapes[@]}" --policy near.ini --candidates near --against base)
for _ in 1 2 3; do # a machine whose controls fail measures nothing again
    rm -rf NEAR
    gate 0,1,3,5 "${near[@]}" -o NEAR
    [ ! -d NEAR/confirm ] || break
    says 'warning: the controls failed, and no kernel is measured again: '
    grep -q '^environment (exit status 5): the controls of NEAR failed' out || { cat out >&2; fail 'it is not told what failed'; }
done
[ -d NEAR/confirm ] || { echo 'the machine is too busy for a gate' >&2; exit 77; }
says 'not shown to be as fast as they must be: '
grep -q ' fresh visits of each, about [1-9][0-9]* s$' err || { cat err >&2; fail 'it does not say how long the confirmation takes'; }
[ -d NEAR/confirm/units/$planted.mine ] || { cat NEAR/gate/gate.csv >&2; fail 'no confirmation'; }
# In either stage all kernels come before any again.
visits() { sed -n 's/^visit \([0-9]*\) of '"$1"', .*/\1/p' err; }
[ "$(visits 3 | uniq | paste -sd,)" = 1,2,3 ] || { cat err >&2; fail 'the visits of the screening are not spread over it'; }
[ "$(visits '\(9\|[1-9][0-9]\)' | uniq | paste -sd, | cut -c1-17)" = 1,2,3,4,5,6,7,8,9 ] || { cat err >&2; fail 'the visits of the confirmation are not spread over it'; }
expect 0 "$GEMMGATE" verify NEAR/confirm

# Judged again, with what it holds alone; a known regression is one up to its limit.
gate 1,5 SLOWER --policy policy.ini
printf '[gate.known]\n%s = 900 %%\n' $planted | cat policy.ini - >patient.ini
gate 0,3,5 SLOWER --policy patient.ini
[ "$(status_of SLOWER $planted mine)" = known ] || { cat SLOWER/gate/gate.csv >&2; fail 'not known'; }
printf '[gate.known]\n%s = 0.1 %%\n1x1x1 = 5 %%\n' $planted | cat policy.ini - >patient.ini
gate 1,5 SLOWER --policy patient.ini
grep -q 'line [0-9]* of the policy: 1x1x1 covers no kernel of this run: remove it' out || fail 'the needless line is not told'

# A wrong kernel outweighs all else. A shape that a kernel which is gone has served is missing where no
# other serves it; else it is not known what is lost.
gate 6 "${measured[@]}" --shapes 32x32x32 --policy policy.ini --candidates wrong --against base -o WRONG
[ "$(status_of WRONG 32x32x32 mine)" = wrong ] || fail 'not wrong'
# What is held against a library says so in the figure.
mkdir blocked
cp "$SOURCE/candidates/examples/host/"{blocked.c,half.h} blocked
expect 0 "$GEMMGATE" run "${measured[@]}" --shapes 64x64x64 --candidates blocked -o BEHIND
printf '[gate.must]\nopenblas-max = all\n' | cat policy.ini - >must.ini
gate 1,3,5 BEHIND --policy must.ini
[ "$(status_of BEHIND 64x64x64 blocked)" = environment ] || grep -q '/ library: against a library that it must beat' BEHIND/gate/gate.html ||
    { cat out BEHIND/gate/gate.csv >&2; fail 'the library is not named'; }
gate 1,3,5 "${measured[@]}" --shapes 32x32x32 --policy policy.ini --candidates base --against more -o GONE
[ "$(status_of GONE 32x32x32 blocked)" = undecided ] || { cat GONE/gate/gate.csv >&2; fail 'a kernel that is gone is not told'; }
mkdir some
cp base/mine.c some/32x32x32.c
gate 1,5 "${measured[@]}" --shapes 32x32x32,16x16x16 --policy policy.ini --candidates some --against base -o GONE16
[ "$(status_of GONE16 16x16x16 mine)" = missing ] || { cat GONE16/gate/gate.csv >&2; fail 'nothing is missing'; }

# A shape that neither set serves is no regression.
gate 1,5 "${measured[@]}" --shapes 32x32x32,16x16x16 --policy policy.ini --candidates some --against some -o LACK
grep -q '^environment (exit status 5)' out || grep -q '^coverage (exit status 1): 50 % of the shapes have an honest kernel' out || { cat out >&2; fail 'no coverage is called something else'; }

# Against a store: only under the same conditions.
expect 0 "$GEMMGATE" run "${measured[@]}" "${shapes[@]}" --visits 4 --candidates base -o BASE
if "$GEMMGATE" baseline promote BASE --store STORE --name base >out 2>err; then
    gate 0,1,3,5 "${measured[@]}" --shapes 32x32x32 --policy policy.ini --against STORE \
        --candidates base -o STORED
    grep -q 'openblas' STORED/gate/gate.csv || fail 'not compared through a library'
    gate 4,5 "${measured[@]}" --shapes 32x32x32 --policy policy.ini --against STORE --workspace 16 \
        --candidates base -o OTHER
    grep -q 'workspace' OTHER/gate/gate.json || fail 'the field that differs is not named'
    says 'warning: nothing can be compared with STORE: base differs in workspace_bytes'
    [ "$(head -n 1 err | grep -c 'warning: nothing')" = 1 ] || { cat err >&2; fail 'that is not told first'; }
else
    says 'controls'
fi

# Nothing can be decided against a run of one visit, which is told before anything is measured.
expect 0 "$GEMMGATE" run "${measured[@]}" --visits 1 --shapes 32x32x32 --candidates base -o ONE
expect 2 "$GEMMGATE" gate "${measured[@]}" --shapes 32x32x32 --candidates base --against ONE -o NONE
says 'ONE has one visit'
[ ! -e NONE ] || fail 'it was measured all the same'

# What was edited, cut off or mixed is refused, and the refusal is shown, too.
broken() { # WHAT: CUT has it
    gate 2 CUT --policy policy.ini
    grep -q '"verdict": "error"' CUT/gate/gate.json || fail "$1: not an error"
    rm -r CUT
}
cp -r SLOWER CUT
awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "ratio") c = i } NR == 2 { $c = 1.5 } 1' \
    SLOWER/ratios.csv >CUT/ratios.csv
broken 'an edited ratio'
cp -r SLOWER CUT
LC_ALL=C tr '\000-\377' '\001-\377\000' <SLOWER/units/$planted.mine/offline.call.f32 \
    >CUT/units/$planted.mine/offline.call.f32
broken 'edited samples'
cp -r NEAR CUT
head -c 100 NEAR/confirm/plan.json >CUT/confirm/plan.json
broken 'a plan cut off'
cp -r SLOWER CUT
rm -r CUT/units/$planted.mine
broken 'a unit that is gone'
cp -r NEAR CUT
rm -r CUT/confirm && cp -r WRONG CUT/confirm
broken 'a confirmation of another plan'

# Nothing is judged that was not measured by this call, and a run that was there keeps its verdict.
expect 2 "$GEMMGATE" gate "${measured[@]}" --shapes 1000000x1000000x16 --candidates base --against base -o NONE
[ ! -e NONE ] || fail 'a gate that could not begin leaves a folder'
cp -r SLOWER CUT
gate 1,5 CUT --policy policy.ini
cp CUT/gate/gate.json before.json
expect 2 "$GEMMGATE" gate "${slower[@]}" -o CUT
says 'CUT exists'
cmp -s before.json CUT/gate/gate.json || fail 'the verdict on a run that was there is another one now'
expect 2 "$GEMMGATE" gate "${slower[@]}" --seed 6 --resume -o CUT
cmp -s before.json CUT/gate/gate.json || fail 'a mistaken --resume changes the verdict'
rm -r CUT

# Files first: there is no verdict on the terminal where it could not be written.
cp -r SLOWER CUT
rm -rf CUT/gate
touch CUT/gate
expect 2 "$GEMMGATE" gate CUT --policy policy.ini
[ ! -s out ] || { cat out >&2; fail 'a verdict that is not kept is printed'; }
rm -r CUT

# Interrupted in either stage it says so (75), goes on, and ends as it would have.
interrupt() { # FILE ARGS...: once that file is there
    local got=0 pid
    hold "$scratch/$1"
    "$GEMMGATE" gate "${near[@]}" "${@:2}" -o KILLED >out 2>err &
    pid=$!
    held $pid
    kill -TERM $pid
    go
    wait $pid || got=$?
    [ "$got" = 75 ] || { cat out err >&2; fail "an interrupted gate ends with $got"; }
    says '--resume'
    grep -q '"exit_status": 75,' KILLED/gate/gate.json && grep -q '^interrupted (exit status 75)' out || fail 'an interrupted gate has a verdict'
}
interrupt KILLED/manifest.json
interrupt KILLED/confirm/manifest.json --resume
gate 0,1,3,5 "${near[@]}" --resume -o KILLED
[ -n "$(status_of KILLED $planted mine)" ] || fail 'what went on has no verdict on the row'

# Two sets compared, and two runs.
expect 0 "$GEMMGATE" compare base slower "${measured[@]}" "${shapes[@]}" --visits 2 -o COMPARED
grep -q 'mine' COMPARED/compare/compare.csv || fail 'nothing was compared'
expect 0 "$GEMMGATE" compare COMPARED --margin 5
expect 0 "$GEMMGATE" compare BASE COMPARED
# A kernel for one shape is called by its set; the sets of two releases are called otherwise.
for set in 2026 2027; do
    mkdir $set
    cp base/mine.c $set/32x32x32.c
    expect 0 "$GEMMGATE" run "${measured[@]}" --shapes 32x32x32 --visits 2 --candidates $set -o RUN$set
done
expect 0 "$GEMMGATE" compare RUN2026 RUN2027
! grep -qi 'not compared' out || { cat out >&2; fail 'kernels of sets that are called otherwise are not compared'; }
expect 4 "$GEMMGATE" compare RUN2026 BASE
says 'no kernel that both have measured on one shape'
expect 2 "$GEMMGATE" compare BASE
says '--against'
expect 2 "$GEMMGATE" compare BASE base
says 'BASE is measured already and base is no run directory'
expect 2 "$GEMMGATE" compare NOWHERE BASE
says 'NOWHERE: No such file or directory; a run directory is wanted, as BASE is'
expect 2 "$GEMMGATE" gate
expect 2 "$GEMMGATE" gate NOWHERE
expect 2 "$GEMMGATE" gate --candidates base --policy none.ini -o NONE
expect 2 "$GEMMGATE" gate "${measured[@]}" "${shapes[@]}" --candidates base --absolute --visits 1 -o NONE
says '--visits'
echo ok

# Where nothing was timed, and where all is new, nothing passes but what asks for the checks alone.
expect 0 "$GEMMGATE" run --device host --shapes 16x16x16 --candidates "$SOURCE/candidates/examples/host" \
    --warmup 0.1 --duration 0.3 -o NEW
gate 2,5 NEW
! grep -q '^pass' out || { cat out >&2; fail 'a gate of what is new passes'; }
gate 0,5 NEW --absolute
