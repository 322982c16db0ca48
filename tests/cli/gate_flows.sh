#!/usr/bin/env bash
# Whole flows of a gate as CI has them: a repository of kernels, a merge, the templates' own commands on the
# host device, and what CI is shown. The host is noisy, and an honest set may be inconclusive (3) or the
# machine disturbed (5); what is asked is what cannot be otherwise.
# Covers: ci bench/run/gate_run* bench/command/gate.c
. "$(dirname "$0")/lib.sh"
unset BASE # what ci/test compares with; the template has one of its own

# gemmgate as the templates have it: a clean clone beside the kernels, built.
git -c safe.directory='*' clone -q "$SOURCE" clone 2>/dev/null || { mkdir clone && cp -r "$SOURCE/ci" clone; }
# What is tested are the scripts as they are now.
rm -rf clone/ci && cp -r "$SOURCE/ci" clone
mkdir -p clone/build && ln -sfn "$(dirname "$GEMMGATE")" clone/build/bench

# The kernels' own repository.
mkdir -p repo/kernels
cd repo
git -c init.defaultBranch=main init -q
git config user.name a && git config user.email a@b
printf '#define SLOWER_PERCENT 0\n#include "%s"\n' "$SOURCE/candidates/examples/gate/release.c" >kernels/mine.c
planted=48x64x32 # where candidates/examples/gate/release.c is slower
printf 'm,n,k\n32,32,32\n48,64,32\n' >kernels/shapes.csv
printf '[gate]\nscreening_visits = 3\nconfirm_visits = 9\nalpha = 0.1\nmargin = 15 %%\non_merge = pass\nundecided = 100 %%\ndisturbed = 100 %%\n' >kernels/gate.ini
git add . && git commit -qm base
cd ..

# step FILE NAME: what `run:` of a GitHub step says.
step() {
    awk -v name="$2" '
        { match($0, /^ */); depth = RLENGTH }
        on && (/^ *- / || (NF && depth < at)) && !body { exit }
        $0 ~ "^ *- name: " name "$" { on = 1; at = depth + 2; next }
        on && !body && $1 == "run:" { sub(/^ *run: */, ""); folded = /^>-/; if (!/^[>|]/) { print; exit } body = depth + 1; next }
        body && NF && depth < body { exit }
        body { sub(/^ */, ""); if (folded) printf "%s ", $0; else print }' "$SOURCE/$1"
}
quick='--warmup 0.05 --duration 0.1'
host="--device host $quick"

# change NAME COMMAND: a merge with that change of kernels/, in a workspace NAME of its own.
change() {
    local name=$1
    shift
    git clone -q repo "$name"
    cd "$name"
    (cd kernels && eval "$*")
    git add -A && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m "$name"
    ln -s ../clone gemmgate
    mkdir -p ../bases
    RUNNER_TEMP=$scratch/bases SUITE=base/kernels/shapes.csv POLICY=base/kernels/gate.ini GITHUB_OUTPUT="../$name.outputs" \
        bash -eo pipefail -c "$(step ci/templates/github-gate.yml 'Check out the base')"
    cd ..
}
# base NAME [folder|suite|policy]: of that workspace, as that step tells it.
base() { sed -n "s/^${2-folder}=//p" "$scratch/$1.outputs"; }
# gate NAME STATUSES [OPTION...]: the action's step Gate in that workspace; leaves NAME/run-gate, out and err in $scratch, and the
# status in $ended.
gate() {
    local name=$1 want=$2 got=0
    shift 2
    : >summary
    rm -rf "$name/run-gate" temp
    mkdir temp
    # shellcheck disable=SC2155 # a base that is not there is seen by the gate
    (cd "$name" && export ACTION=gemmgate CANDIDATES=kernels AGAINST="$(base "$name")/kernels" SUITE="$(base "$name" suite)" \
        POLICY="$(base "$name" policy)" DEVICE=${device-host} OPTIONS="$quick $*" RUNNER_TEMP=$scratch/temp GEMMGATE=gemmgate/build/bench/gemmgate \
        GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=$scratch/summary GITHUB_OUTPUT=$scratch/outputs HOME=$scratch/home &&
        bash -eo pipefail -c "$(step action.yml Gate)") >out 2>err || got=$?
    ended=$got
    find temp -mindepth 2 -maxdepth 2 -name run -exec mv {} "$name/run-gate" \;
    [[ ",$want," = *",$got,"* ]] || { cat out err >&2; fail "$name: status $got, not $want"; }
    grep -qx "ci/gate-merge: exit status $got" out || { cat out err >&2; fail "$name: the status $got is not told"; }
    [ -s summary ] || fail "$name: no summary"
    if [ -e "$name/run-gate/gate/gate.json" ]; then
        grep -q "\"exit_status\": $got," "$name/run-gate/gate/gate.json" || [ "$got" = 75 ] || fail "$name: gate.json has another status than $got"
    fi
}
shown() { grep -qF -- "$1" summary || { cat summary >&2; fail "the summary lacks: $1"; }; }
rows() { column "$1/run-gate/gate/gate.csv" status | sort -u | paste -sd,; }

# No change.
change SAME true
gate SAME 0,5
case ",$(rows SAME)," in *,slower,* | *,wrong,* | *,missing,*) cat SAME/run-gate/gate/gate.csv >&2; fail 'a set is not like itself' ;; esac
grep -q "\"previous_commit\": \"$(git -C repo rev-parse HEAD)\"" SAME/run-gate/gate/gate.json || fail 'the commit merged into is not told'

# The job before it, which says whether there is anything to gate: a check that is required is skipped, not left out.
changes() { # NAME WANT [BASE]
    (cd "$1" && BASE=${3-} UNRELATED=':!*.md :!docs' GITHUB_OUTPUT=../changes bash -eo pipefail -c "$(step ci/templates/github-gate.yml 'Find whether anything has changed that a kernel may be made of')") 2>err || true
    [ "$(tail -n 1 changes)" = "$2" ] || { cat changes err >&2; fail "$1: not $2"; }
}
echo nothing >changes
changes SAME nothing 0123456789012345678901234567890123456789 # it fails, and the gate is not skipped
changes SAME kernels=same
change WORDS 'mkdir ../docs; echo more | tee ../README.md >../docs/page.html'
changes WORDS kernels=same
# A kernel may include a file from anywhere.
change HEADER 'echo "#define TILE 8" >../tile.h'
changes HEADER kernels=changed

# A slowdown. Of 5 % only a quiet GPU is sure; ci/gate-proof shows that there.
change SLOWER 'sed -i "s/PERCENT 0/PERCENT 900/" mine.c'
changes SLOWER kernels=changed
gate SLOWER 1,5
case ",$(rows SLOWER)," in *,slower,*) shown "| slower | $planted | \`mine\` |" ;; *,environment,*) ;; *) cat SLOWER/run-gate/gate/gate.csv >&2; fail 'the slowdown is not found' ;; esac

# Wrong.
change WRONG "printf '#include \"%s\"\n' '$SOURCE/tests/adversarial/both/wrong-element.c' >mine.c"
gate WRONG 6
shown '## gemmgate: wrong'
grep -q '^::error file=[^,]*kernels/mine.c,line=1,title=wrong' out || { cat out >&2; fail 'no annotation on the file'; }

# A kernel that would be the old one where it finds that: the gate sees what is merged.
change FINDS "printf '#if __has_include(\"../base/kernels/mine.c\") || __has_include(\"../../base/kernels/mine.c\")\n#include \"%s\"\n#else\n#include \"%s\"\n#endif\n' '$SOURCE/candidates/examples/gate/release.c' '$SOURCE/tests/adversarial/both/wrong-element.c' >mine.c; sed -i '1i #define SLOWER_PERCENT 0' mine.c"
gate FINDS 6
# What it commits as base/ is a folder like any other.
change COMMITS 'mkdir ../base && ln -s base/kernels ../other && cp -r . ../base/kernels'
gate COMMITS 0,5
grep -q "\"previous_commit\": \"$(git -C repo rev-parse HEAD)\"" COMMITS/run-gate/gate/gate.json || fail 'a base that is committed is taken'

# Removed and renamed; new.
change REMOVED 'for s in 32x32x32; do cp mine.c $s.c; done; rm mine.c'
gate REMOVED 1,5
[[ ",$(rows REMOVED)," = *,missing,* ]] || { cat REMOVED/run-gate/gate/gate.csv >&2; fail 'nothing is missing'; }
change RENAMED 'git mv mine.c faster.c'
gate RENAMED 3,5
[ "$ended" = 5 ] || shown '--renamed OLD=NEW' # of a machine that is busy nothing more is told
gate RENAMED 0,5 --renamed mine=faster
# The policy says it, too, and may go on saying what has been merged since.
echo 'renamed = gone=other,mine=faster' >>"$(base RENAMED)/kernels/gate.ini"
gate RENAMED 0,5
grep -q 'faster,.*,previous,' RENAMED/run-gate/gate/gate.csv && [[ ",$(rows RENAMED)," != *,added,* ]] || { cat RENAMED/run-gate/gate/gate.csv >&2; fail 'the policy renames nothing'; }
change NEW "cp '$SOURCE'/candidates/examples/host/{blocked.c,half.h} ."
gate NEW 0,5
[[ ",$(rows NEW)," = *,added,* ]] || { cat NEW/run-gate/gate/gate.csv >&2; fail 'what is new is not told'; }

# A policy with a mistake: of the base, where it is taken from.
change POLICY true
echo 'marign = 3 %' >>"$(base POLICY)/kernels/gate.ini"
gate POLICY 2
shown 'judged nothing'
grep -q 'gate.ini:9: ' out || { cat out >&2; fail 'the line of the mistake is not told'; }
[ ! -e POLICY/run-gate ] || fail 'it was measured all the same'

# No GPU, where the action's own default asks for one.
if ! "$GEMMGATE" devices | grep '^cuda:' >/dev/null; then
    change NOGPU true
    device=cuda:0 gate NOGPU 77
    grep -q '^::error title=gemmgate::It ended with status 77' out || { cat out >&2; fail 'no GPU is not told'; }
fi

# A full disk, then room for it.
change FULL true
mkdir FULL/run-gate
if mount -t tmpfs -o size=60k tmpfs FULL/run-gate 2>/dev/null; then
    umount FULL/run-gate
    rmdir FULL/run-gate
    mkdir FULL/disk
    mount -t tmpfs -o size=60k tmpfs FULL/disk
    trap 'umount "$scratch/FULL/disk" 2>/dev/null || true; rm -rf "$scratch"' EXIT
    got=0
    (cd FULL && GEMMGATE=gemmgate/build/bench/gemmgate gemmgate/ci/gate-merge --against "$(base FULL)/kernels" --candidates kernels --suite "$(base FULL suite)" \
        --policy "$(base FULL policy)" -o disk/run $host) >out 2>err || got=$?
    [ "$got" = 2 ] || { cat out err >&2; fail "a full disk: status $got"; }
    says 'No space left on device'
    mount -o remount,size=60m FULL/disk
    got=0
    (cd FULL && GEMMGATE=gemmgate/build/bench/gemmgate gemmgate/ci/gate-merge --against "$(base FULL)/kernels" --candidates kernels --suite "$(base FULL suite)" \
        --policy "$(base FULL policy)" -o disk/run $host --resume) >out 2>err || got=$?
    [ "$got" = 0 ] || [ "$got" = 5 ] || { cat out err >&2; fail "with room again: status $got"; }
    umount FULL/disk
else
    echo 'full disk not tested: mounting a tmpfs is not allowed here'
fi

# A job that is stopped, and gone on with.
change STOPPED true
hold "$scratch/STOPPED/run-gate/manifest.json"
(cd STOPPED && exec env GEMMGATE="$GEMMGATE" gemmgate/ci/gate-merge --against "$(base STOPPED)/kernels" --candidates kernels --suite "$(base STOPPED suite)" \
    --policy "$(base STOPPED policy)" -o run-gate $host) >out 2>err &
pid=$!
held $pid
pkill -TERM -P $pid
got=0
go
wait $pid || got=$?
[ "$got" = 75 ] || { cat out err >&2; fail "a job that is stopped ends with $got"; }
says '--resume'
got=0
(cd STOPPED && GEMMGATE="$GEMMGATE" gemmgate/ci/gate-merge --against "$(base STOPPED)/kernels" --candidates kernels --suite "$(base STOPPED suite)" \
    --policy "$(base STOPPED policy)" -o run-gate $host --resume) >out 2>err || got=$?
[ "$got" = 0 ] || [ "$got" = 5 ] || { cat out err >&2; fail "gone on with: status $got"; }

# Two runners share a gate.
change TWO 'sed -i "s/PERCENT 0/PERCENT 900/" mine.c'
share() { # RUN OPTION...: leaves the status in $got
    got=0
    (cd TWO && GEMMGATE=$GEMMGATE gemmgate/ci/gate-merge --against "$(base TWO)/kernels" --candidates kernels --suite "$(base TWO suite)" \
        --policy "$(base TWO policy)" -o "$1" $host --seed 7 "${@:2}") >out 2>err || got=$?
}
for shard in 1 2; do
    share run-$shard --shard $shard/2
    [ "$got" = 0 ] || { cat out err >&2; fail "shard $shard"; }
done
(cd TWO && "$GEMMGATE" merge run-1 run-2 -o run-gate) >out 2>err || { cat out err >&2; fail 'the shards do not merge'; }
share run-gate --resume
[ "$got" = 1 ] || [ "$got" = 5 ] || { cat out err >&2; fail "two runners: status $got"; }
[[ ",$(rows TWO)," = *,slower,* ]] || [ "$got" = 5 ] || { cat TWO/run-gate/gate/gate.csv >&2; fail 'the slowdown is not found by two runners'; }

[ ! -e TWO/base ] || fail 'a base lies where a kernel can name it'

# What looks like a run, and is committed, is not taken by GitLab.
forged() { # PATH...: in TWO, in the place of what was there
    rm -rf FORGED
    git clone -q repo FORGED
    (cd FORGED && mkdir -p "$(dirname "$1")" && echo '## gemmgate: pass' >"$1" && git add -A && git -c user.name=a -c user.email=a@b commit -qm forged)
}
before() { # the first lines of each of GitLab's jobs, as far as the clone
    sed -n "/^  before_script:/,/git clone/{/git clone/q; s/^    - //p}" "$SOURCE/ci/templates/gitlab-gate.yml"
}
before | grep -q 'rm -rf' || fail 'the template has no such lines'
for path in run-gate/gate/summary.md run-1/plan.json run-nightly/plan.json; do
    forged "$path"
    got=0
    (cd FORGED && bash -eo pipefail -c "$(before)") >out 2>err || got=$?
    [ "$got" = 1 ] && grep -qF "$path" out || { cat out err >&2; fail "GitLab takes a $path that is committed: $got"; }
    [ ! -e FORGED/run-gate ] || fail 'GitLab would keep it as an artefact'
done
forged runs/notes
(cd FORGED && bash -eo pipefail -c "$(before)") || fail 'GitLab refuses what is in the way of nothing'

echo ok
