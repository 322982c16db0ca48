#!/usr/bin/env bash
# ci/slurm/campaign and its jobs, with stand-ins for Slurm and for gemmgate: what they refuse, what they
# submit, and which tasks are queued again.
# Covers: ci/slurm
. "$(dirname "$0")/lib.sh"

mkdir bin
cat >bin/sbatch <<'END'
#!/bin/sh
echo "$@" >>calls
[ "$(wc -l <calls)" != "${FAIL_AT-}" ] || exit 1
echo "$((100 + $(wc -l <calls)));cluster"
END
cat >bin/squeue <<'END'
#!/bin/sh
echo "${STATE-}"
END
printf '#!/bin/sh\necho "$(basename "$0") $*" >>calls\n' | tee bin/scontrol >bin/scancel
# It goes on for a while, unless it is told to stop; with STATUS it ends by that at once.
cat >program <<'END'
#!/bin/sh
echo "$@" >>told
trap 'exit 75' TERM
case $1 in
report) exit "${REPORT-0}" ;;
--version) exit 0 ;;
esac
[ -z "${STATUS-}" ] || exit "$STATUS"
touch started
i=0
while [ $((i += 1)) -lt 600 ]; do sleep 1; done
END
chmod +x bin/* program
export PATH=$PWD/bin:$PATH
unset GEMMGATE

campaign=$SOURCE/ci/slurm/campaign
refused() { # SAYS ARGUMENT...
    local what=$1
    shift
    expect 2 "$campaign" "$@"
    says "$what"
    [ ! -e calls ] || fail "something is submitted all the same: $*"
}
refused 'gemmgate run are wanted' --shards 2 -o C
refused 'gemmgate run are wanted' --shards 2 -o C --
refused '--shards N is wanted' -o C -- --suite smoke
refused '--shards 0' --shards 0 -o C -- --suite smoke
refused '--shards 2x' --shards 2x -o C -- --suite smoke
refused '-o FOLDER is wanted' --shards 2 -- --suite smoke
refused '--shards: not understood, or without' --shards -o C -- --suite smoke
refused '--suite: not understood' --shards 2 --suite smoke -o C -- --mode server
refused '--shard=1/2: the tasks choose' --shards 2 -o C -- --suite smoke --shard=1/2
refused '-o: the tasks choose' --shards 2 -o C -- --suite smoke -o RUN
mkdir C
refused 'C is there already' --shards 2 -o C -- --suite smoke
rmdir C
mkdir tools
for tool in bash dirname grep cat; do ln -s "$(command -v $tool)" tools; done
PATH=$PWD/tools refused 'there is no sbatch' --shards 2 -o C -- --suite smoke
[ ! -e C ] || fail 'what is refused leaves a folder'

# A submission that fails takes back what was submitted.
FAIL_AT=2 expect 2 "$campaign" --shards 2 -o C -- --suite smoke
says "no job 'shard'"
grep -qx 'scancel 101' calls || fail 'the build is queued all the same'
[ ! -e C ] || fail 'what failed leaves a folder'
rm calls

expect 0 "$campaign" --shards 3 --time 5 -o C -- --suite smoke --candidates 'a set'
grep -qF "job build $(cd "$SOURCE" && pwd) $(realpath C) " calls || { cat calls >&2; fail 'the build is not of this source'; }
grep -q -- "--array 1-3 --dependency afterok:101 .*--signal B:TERM@120 .* --candidates a set --seed [0-9]* --device cuda$" calls ||
    { cat calls >&2; fail 'the array is not as wanted'; }
grep -q -- '--dependency afterany:102 ' calls || { cat calls >&2; fail 'the merge does not follow'; }
[ "$(cat C/jobs)" = 101,102,103 ] || fail "the jobs are $(cat C/jobs)"
# The same again, with the same seed; and not while it runs.
words=(--shards 3 --time 5 -o C -- --suite smoke --candidates 'a set')
sed -n 's/.*gemmgate-shard.*\(--suite.*\)/\1/p' calls >first
rm calls
expect 2 env STATE=PENDING "$campaign" "${words[@]}"
says 'queued or running'
expect 0 "$campaign" "${words[@]}"
sed -n 's/.*gemmgate-shard.*\(--suite.*\)/\1/p' calls >again
cmp -s first again || { cat first again >&2; fail 'gone on with, it is another plan'; }
rm calls
# A submission that fails leaves what is measured.
FAIL_AT=2 expect 2 "$campaign" "${words[@]}"
[ -e C/seed ] || fail 'what is measured is removed'
rm calls
# Another seed only where it is given.
expect 0 "$campaign" --shards 3 -o C -- --suite smoke --seed=7
grep -q -- '--suite smoke --seed=7 --device cuda$' calls || { cat calls >&2; fail 'the seed is not the one given'; }
rm calls

# A set of which nothing compiles is left to the shards, and the sets after it are built all the same.
rm -f told
SLURM_CPUS_PER_TASK=3 STATUS=2 expect 0 "$SOURCE/ci/slurm/job" build "$SOURCE" "$PWD/C" "$PWD/program" '' --candidates one --against=two
printf -- '--version\nbuild --candidates %s --jobs 3\nbuild --candidates %s --jobs 3\n' one two | cmp -s - told ||
    { cat told >&2; fail 'not what there is to build'; }
STATUS=143 expect 143 "$SOURCE/ci/slurm/job" build "$SOURCE" "$PWD/C" "$PWD/program" '' --candidates one
rm told

# task STATUS: a task of the array that must end so; SIGTERM as soon as it has started, unless STATUS is set.
export SLURM_ARRAY_JOB_ID=102 SLURM_ARRAY_TASK_ID=2 SLURM_ARRAY_TASK_COUNT=3 SLURM_JOB_ID=102
task() {
    local got=0
    rm -f calls told started
    "$SOURCE/ci/slurm/job" shard "$PWD/C" "$PWD/program" 1 --seed 7 >out 2>err &
    local job=$!
    if [ -z "${STATUS-}" ]; then
        until [ -e started ]; do kill -0 $job && sleep 0.05 || fail 'the task ended before it could be stopped'; done
        kill -TERM $job
    fi
    wait $job || got=$?
    [ $got = "$1" ] || { cat out err >&2; fail "the task ended by $got instead of $1"; }
}
again() { grep -qx 'scontrol requeue 102_2' calls 2>/dev/null; }
STATE=RUNNING task 75
again || fail 'a task that was stopped is not queued again'
grep -qx -- "run --seed 7 --shard 2/3 -o $PWD/C/shards/2" told || { cat told >&2; fail 'not what it is to run'; }
STATE=COMPLETING task 75
again && fail 'a task that was cancelled comes back'
STATE=RUNNING SLURM_RESTART_COUNT=1 task 75
again && fail 'there is no end to it'
mkdir -p C/shards/2
touch C/shards/2/plan.json
STATE=RUNNING STATUS=0 task 0
again && fail 'a task that is done comes back'
grep -q -- ' --resume ' told || { cat told >&2; fail 'what is there is not gone on with'; }
STATE=RUNNING STATUS=2 task 2
again && fail 'a task that failed comes back'

# The merge passes over shards that have nothing, and tells what is missing by its status.
mkdir -p C/shards/1
rm told
STATUS=3 expect 3 "$SOURCE/ci/slurm/job" merge "$PWD/C" "$PWD/program"
printf 'merge %s -o %s\nreport %s\n' "$PWD/C/shards/2" "$PWD/C/run" "$PWD/C/run" | cmp -s - told ||
    { cat told >&2; fail 'not what there is to merge'; }
# A report that fails hides neither that nor itself.
REPORT=1 STATUS=3 expect 3 "$SOURCE/ci/slurm/job" merge "$PWD/C" "$PWD/program"
grep -q 'something is missing' out && grep -q 'there is no report' out || { cat out >&2; fail 'the log does not tell both'; }
REPORT=2 STATUS=0 expect 2 "$SOURCE/ci/slurm/job" merge "$PWD/C" "$PWD/program"
rm told
STATUS=2 expect 2 "$SOURCE/ci/slurm/job" merge "$PWD/C" "$PWD/program"
! grep -q report told || fail 'what did not merge has a report'
echo ok
