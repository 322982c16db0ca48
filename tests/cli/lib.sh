# Shared by the CLI tests: GEMMGATE is the program, SOURCE the source tree, and each test has a
# scratch folder of its own that is removed at the end.
set -euo pipefail
GEMMGATE=${GEMMGATE:?the program under test}
SOURCE=${SOURCE:?the source tree}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
export GEMMGATE_CACHE=${GEMMGATE_CACHE:-$scratch/cache}
export OPENBLAS_NUM_THREADS=1

fail() {
    echo "FAIL: $*" >&2
    exit 1
}

# expect STATUS COMMAND...: the command must end with that status; its stderr goes to ./err.
expect() {
    local want=$1 got=0
    shift
    "$@" >out 2>err || got=$?
    [ "$got" = "$want" ] || { cat out err >&2; fail "status $got instead of $want: $*"; }
}

# gates COMMAND...: the command must come to a verdict: 0, 1, 3, or 5 with the controls or the disturbed rows as
# its reason. Which one is the machine's to say.
gates() {
    local got=0
    "$@" >out 2>err || got=$?
    [[ $got = [013] ]] || { [ $got = 5 ] && grep -q '^environment (exit status 5)' out; } || { cat out err >&2; fail "status $got is no verdict: $*"; }
}

# says TEXT: the last expect's stderr holds it.
says() {
    grep -qF -- "$1" err || { cat err >&2; fail "stderr lacks: $1"; }
}

# column FILE NAME: that column of a CSV without quoted commas in the columns before it.
column() {
    awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next }
                          { print $c }' "$1"
}

# use_runner RUNNER: makes GEMMGATE a copy of the program with another runner beside it.
use_runner() {
    mkdir bin share
    cp "$GEMMGATE" bin/gemmgate
    cp "$1" bin/gemmgate-runner
    ln -s "$SOURCE" share/gemmgate
    GEMMGATE=$scratch/bin/gemmgate
}
