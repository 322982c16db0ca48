#!/usr/bin/env bash
# ci/gate-merge and ci/nightly as CI calls them. A busy machine may give an honest set any verdict but
# `wrong`; what is wanted is that status, files and what CI is shown agree.
# Covers: ci
. "$(dirname "$0")/lib.sh"

export GEMMGATE
# A margin that nearly always spares the confirmation.
printf '[gate]\nmargin = 50 %%\nalpha = 0.05\nscreening_visits = 2\nconfirm_visits = 5\n' >policy.ini
fast=(--device host --shapes 32x32x32 --warmup 0.02 --duration 0.1)
mkdir old new
cp "$SOURCE"/candidates/examples/host/{blocked.c,half.h} old
printf '#include "%s"\n' "$SOURCE/tests/adversarial/both/wrong-element.c" >new/blocked.c

merge() { # STATUS|any RUN NEW OPTION...: as a step on GitHub; leaves ./out and ./step
    local want=$1 run=$2 new=$3 got=0
    shift 3
    : >step
    GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=$PWD/step "$SOURCE/ci/gate-merge" --against old \
        --candidates "$new" --policy policy.ini -o "$run" "${fast[@]}" "$@" >out 2>err || got=$?
    [ "$want" = any ] || [ "$got" = "$want" ] || { cat out err >&2; fail "status $got instead of $want"; }
    grep -qx "ci/gate-merge: exit status $got" out || { cat out >&2; fail "the status $got is not told"; }
    [ ! -s err ] || { cat err >&2; fail 'on GitHub there are two streams'; }
    # The commands of the gate's own output are stopped, those of annotations.txt are not.
    grep -q '^::stop-commands::' out && sed -i "1,/^::$(sed -n 's/^::stop-commands:://p' out)::\$/d" out
    if [ -e "$run/gate/gate.json" ]; then
        grep -q "\"exit_status\": $got,\$" "$run/gate/gate.json" || fail "gate.json has not the status $got"
        head -n 1 step | grep -x '<!-- gemmgate -->' >/dev/null || { cat step >&2; fail 'no summary'; }
        cmp -s step "$run/gate/summary.md" || fail 'the summary is not whole'
        diff <(grep '^::' out) "$run/gate/annotations.txt" || fail 'the annotations are not shown'
    fi
}

merge any SAME old
grep -q '"verdict": "\(pass\|inconclusive\|environment\)"' SAME/gate/gate.json || {
    cat SAME/gate/gate.json >&2
    fail 'a set is not like itself'
}

# A wrong kernel. The run's name is one that awk would take for an assignment.
merge 6 W=RONG new
grep -q '^::error file=[^,]*/new/blocked.c,line=1,title=wrong 32x32x32.blocked' out || {
    cat out >&2
    fail 'no annotation on the wrong kernel'
}
grep -q '^## gemmgate: wrong$' step || fail 'the summary does not begin with the verdict'

# A run is not gated twice by mistake, and what could not be judged is told where CI looks.
expect 2 "$SOURCE/ci/gate-merge" --against old --candidates new -o W=RONG "${fast[@]}"
says 'W=RONG exists'
merge 2 NONE nowhere
grep -q '^::error title=gemmgate::It ended with status 2' out || fail 'no annotation where nothing is judged'
grep -q 'status 2 and judged nothing' step || fail 'no summary where nothing is judged'
[ ! -e NONE ] || fail 'there is a run without kernels'
# What was not judged has not passed, whatever an option asks for.
for words in -h '--shard 1/2 -h'; do
    # shellcheck disable=SC2086
    merge 2 HELP old $words
    grep -q 'judged nothing' step || fail "$words passes"
done
expect 2 "$SOURCE/ci/gate-merge"
says 'ci/gate-merge: options of gemmgate gate are wanted'

# Who asks a script for help gets it, and it does nothing else.
for script in "$SOURCE"/ci/* "$SOURCE"/ci/slurm/campaign; do
    { [ -f "$script" ] && [ -x "$script" ]; } || continue
    GEMMGATE='' expect 0 timeout 60 "$script" --help
    { [ -s out ] && [ ! -s err ] && grep -q "$(basename "$script")" out; } || { cat out err >&2; fail "$script --help does not help"; }
done

# Beside what others wrote, a summary is cut to what GitHub shows.
head -c 1048000 /dev/zero | tr '\0' '\n' >step
cp step before
expect 6 env GITHUB_STEP_SUMMARY="$PWD/step" "$SOURCE/ci/gate-merge" --against old --candidates new \
    --policy policy.ini -o W=RONG "${fast[@]}" --resume
size=$(stat -c %s step)
[ "$size" -le 1048576 ] && [ "$size" -gt 1048000 ] || fail "the summary has $size bytes"
cmp -s before <(head -c 1048000 step) || fail 'what others wrote is gone'
[ "$(tail -c 1 step | od -An -tx1)" = ' 0a' ] || fail 'the summary is cut within a line'
! grep -q '^::' out || fail 'annotations where no GitHub is'

# The night: measured, reported, promoted. A machine whose controls fail gives no baseline.
night() { # RUN OPTION...: leaves the status in $night
    local run=$1
    shift
    night=0
    "$SOURCE/ci/nightly" --candidates old --store STORE --policy policy.ini -o "$run" -- "${fast[@]}" \
        --baselines openblas-nn,openblas-tn "$@" >out 2>err || night=$?
    [ -e "$run/report/report.md" ] || { cat out err >&2; fail 'the night left no report'; }
}
night FIRST
if [ "$night" = 0 ]; then
    grep -q '^promoted as ' out || { cat out >&2; fail 'the first night is not promoted'; }
else
    says 'its controls failed'
    [ "$night" = 5 ] || fail "a first night whose controls failed ends with $night"
    [ ! -e STORE ] || fail 'there is a store all the same'
fi
# One that was stopped is gone on with.
sed -i 's/"complete": true/"complete": false/' FIRST/manifest.json
night FIRST
says 'resuming: 1 of 1'
grep -q '"complete": true' FIRST/manifest.json || fail 'the night did not go on'
# One that is promoted is done, and not judged against itself; other words are not taken for it.
if [ -e STORE ]; then
    night FIRST --release --entry none
    [ "$night" = 0 ] && grep -q '^ci/nightly: done already: STORE has FIRST as ' out ||
        { cat out err >&2; fail "the second call of a night that is done ended with $night"; }
    [ ! -e FIRST/gate ] || fail 'a night is gated against itself'
    night FIRST --mode server
    [ "$night" = 2 ] || fail 'another plan is done already, too'
    expect 0 "$GEMMGATE" baseline list --store STORE
    [ "$(wc -l <out)" = 2 ] || { cat out >&2; fail 'there are two entries of one run'; }
    night SECOND
    [ -e SECOND/gate/gate.json ] || fail 'the second night is not gated against the first'
fi
# Only what was judged not to be comparable begins a new line of baselines.
mkdir -p EMPTY stub/gate
cat >program <<'END'
#!/bin/sh
echo "$1" >>told
[ "$1" = gate ] || exit 0
[ ! -e judged ] || { mkdir -p stub/gate && cp judged stub/gate/gate.json; }
exit 4
END
chmod +x program
stub() { # STATUS: a night by the stand-in
    rm -f told
    GEMMGATE=$PWD/program expect "$1" "$SOURCE/ci/nightly" --candidates old --store EMPTY -o stub
}
cat >busy <<'END'
#!/bin/sh
mkdir -p night
echo '  "verdict": "failed",' >night/manifest.json
[ "$1" != baseline ] || exit 2
END
chmod +x busy
GEMMGATE=$PWD/busy expect 5 "$SOURCE/ci/nightly" --candidates old --store NONE -o night
sed -i s/failed/passed/ busy
GEMMGATE=$PWD/busy expect 2 "$SOURCE/ci/nightly" --candidates old --store NONE -o night
echo ' "verdict": "not-comparable",' >stub/gate/gate.json # an earlier call's
stub 2
says 'judged nothing'
! grep -q baseline told || fail 'what nobody has judged is promoted'
printf '{\n "verdict": "not-comparable",\n "exit_status": 4\n}\n' >judged
stub 4
[ "$(paste -sd ' ' told)" = 'gate report baseline' ] || { cat told >&2; fail 'no new line of baselines is begun'; }

# GitLab's job ends as the night does, also where that leaves no run.
mkdir -p gemmgate/ci
printf '#!/bin/sh\nexit 77\n' >gemmgate/ci/nightly
chmod +x gemmgate/ci/nightly
awk '/^[a-z.]/ { on = $1 == "nightly:" } /^  [a-z]/ { script = $1 == "script:" } !on || !script { next }
    /^    - / { sub(/^    - (>-)?/, ""); printf "\n%s", $0 } /^      / { printf " %s", $0 } END { print "" }' \
    "$SOURCE/ci/templates/gitlab-gate.yml" >job
grep -q '^ *gemmgate/ci/nightly .* -o run-nightly ' job || { cat job >&2; fail 'no night in the template'; }
expect 77 env GEMMGATE_HOME="$PWD/home" KERNELS=kernels DEVICE=host bash -eo pipefail job
# A slower set is no baseline.
if [ -e STORE ]; then
    printf '#define SLOWER_PERCENT 3000\n#define SLOWER_ONE_IN 1\n#include "%s/candidates/examples/gate/release.c"\n' "$SOURCE" >old/blocked.c
    night SLOW
    [ "$night" = 1 ] || [ "$night" = 5 ] || { cat out err >&2; fail "a slow night ended with $night"; }
    grep -q "not promoted: the gate against STORE ended with $night" out || fail 'a slow night is promoted'
fi
# ci/gate-proof counts the rows of the gates that it calls, in a folder of such a name, too.
cat >program <<'END'
#!/bin/sh
while [ "$1" != -o ]; do shift; done
mkdir -p "$2/gate"
printf 'm,n,k,status,visits,stage\n16,16,16,same,4,screening\n' >"$2/gate/gate.csv"
case $2 in *slower-gate) ;; *) exit ;; esac
mkdir "$2/confirm"
printf '{\n "start": "2026-11-24T23:59:01Z",\n "end": "2026-11-25T00:00:31Z",\n "x": {\n  "end": "no"\n }\n}\n' >"$2/confirm/manifest.json"
printf '48,64,32,%s,22,confirmation\n' "${FOUND:-slower}" >>"$2/gate/gate.csv"
END
expect 0 env GEMMGATE="$PWD/program" "$SOURCE/ci/gate-proof" --device host -o P=ROOF </dev/null
grep -q '^same  *1  *0  *0  *0 ' out && grep -q '^slower  *2  *1  *1  *0 .* 1 x 22, 90 s$' out || { cat out >&2; fail 'the rows are not counted'; }
expect 1 env FOUND=same GEMMGATE="$PWD/program" "$SOURCE/ci/gate-proof" --device host -o MISSED </dev/null
# ci/demo says what it will report before it measures, and reports that and not the best; it names OpenBLAS's kernels, and
# ends with the page and what to do next. It says first that a machine was busy.
cat >program <<'END'
#!/bin/sh
case $1 in
devices) echo 'host    CPU' ;;
run)
    while [ "$1" != -o ]; do shift; done
    mkdir -p "$2/report"
    printf '{\n "controls": {\n  "verdict": "%s"\n }\n}\n' "$CONTROLS" >"$2/manifest.json"
    line() { printf '   {\n    "candidate": "%s",\n    "mode": "%s",\n    "lens": "call",\n    "baseline": "lib-max",\n    "shapes": 2,\n    "geomean_ratio": %s,\n    "geomean_ratio_low": 1.4,\n    "geomean_ratio_high": 1.6,\n    "leads": %s\n   }%s\n' "$@"; }
    {
        printf '{\n "facts": {\n  "OpenBLAS": "0.3.21, one thread, with its kernels for Haswell, its own choice"\n },\n "tables": {\n  "table1": [\n'
        line lucky offline 9.5 1 ,
        line blocked server 2.5 1 ,
        line slow offline 0.5 1 ,
        line blocked offline 3.5 0 ,
        line blocked offline 1.5 1
        printf '  ]\n }\n}\n'
    } >"$2/report/report.json"
    ;;
esac
END
for controls in passed failed; do
    CONTROLS=$controls GEMMGATE="$PWD/program" expect 0 "$SOURCE/ci/demo" -o "DEMO $controls"
    grep -qxF 'What was found: blocked has 1.500 times the speed of lib-max by call, offline: the geometric mean over 2 shapes, with a 95 % interval over visits of 1.400 to 1.600.' out &&
        grep -qx 'Will be reported: the kernel blocked, offline, over all shapes of the suite smoke.' out &&
        grep -qx 'OpenBLAS:       0.3.21, one thread, with its kernels for Haswell, its own choice' out &&
        grep -qxF "The page:       file://$PWD/DEMO $controls/report/report.html" out && grep -q '^What next: ' out ||
        { cat out >&2; fail 'the demonstration does not end as it should'; }
    busy=0
    grep -q '^This machine was busy' out || busy=1
    [ "$controls$busy" = passed1 ] || [ "$controls$busy" = failed0 ] || fail "controls $controls, and the machine is told as $busy"
done
expect 0 "$SOURCE/ci/demo" --help
grep -q 'ci/demo \[-o RUN\]' out || fail "ci/demo's help does not help"
expect 2 "$SOURCE/ci/demo" --fast
for words in '' '--candidates X' '--store S' '--candidates X --store S --new Y'; do
    # shellcheck disable=SC2086
    expect 2 "$SOURCE/ci/nightly" $words
    says 'usage: ci/nightly'
done
# Every script finds its folder, whatever CDPATH is exported: as far as that they are run in another tree.
scripts=$(cd "$SOURCE" && grep -rlF 'cd "$(dirname "$0")' ci)
mkdir -p {tree,elsewhere}/ci/slurm
for script in $scripts; do
    sed '/cd "$(dirname "$0")/q' "$SOURCE/$script" >"tree/$script"
    echo 'echo "${here:-${source:-$PWD}}"' >>"tree/$script"
    found=$(cd tree && CDPATH=$scratch/elsewhere:. bash "$script")
    case $script in
    */nightly | */publish | */gate-merge | */demo | */program | */campaign) want=$PWD/tree/${script%/*} ;;
    *) want=$PWD/tree ;;
    esac
    [ "$found" = "$want" ] || fail "with CDPATH, $script is in $found"
done
# ci/lint hands each file over whole, in a tree and by a name with blanks, and with a quotation mark.
mkdir -p "a tree's"/{.ci,build-test,ci,tests} tools
cp "$SOURCE/ci/lint" "a tree's/ci"
printf '#!/bin/sh\n' | tee "a tree's"/ci/{install,build} "a tree's/tests/of blanks.sh" \
    tools/{yamllint,actionlint} >tools/kubernetes-validate
printf '#!/bin/sh\nfor word; do echo "$(basename "$0") $word"; done >>"%s"\n' "$PWD/linted" | tee tools/clang-tidy >tools/shellcheck
chmod +x "a tree's"/ci/* tools/*
printf ' "file": "%s",\n' "$PWD/a tree's/bench/a part.c" >"a tree's/build-test/compile_commands.json"
expect 0 env PATH="$PWD/tools:$PATH" "a tree's/ci/lint"
grep -qxF "clang-tidy $PWD/a tree's/bench/a part.c" linted && grep -qxF 'shellcheck tests/of blanks.sh' linted ||
    { cat linted >&2; fail 'not the files that there are'; }
echo ok
