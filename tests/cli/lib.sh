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

# few_visits: the first lines of a policy: screening and confirmation have two visits each, not 8 and 56. For a gate that
# is asked for other things than its verdict.
few_visits() { printf '[gate]\nscreening_visits = 2\nconfirm_visits = 2\n'; }

# says TEXT: the last expect's stderr holds it.
says() {
    grep -qF -- "$1" err || { cat err >&2; fail "stderr lacks: $1"; }
}

# told TEXT: its stdout does, wherever the lines end.
told() {
    grep -qF -- "$1" <(tr -s '\n ' ' ' <out) || { cat out >&2; fail "stdout lacks: $1"; }
}

# column FILE NAME: that column of a CSV without quoted commas in the columns before it.
column() {
    awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next }
                          { print $c }' "$1"
}

# two_kernels FOLDER: a set of two kernels, `blocked` and `other`: an example under two names.
two_kernels() {
    mkdir -p "$1"
    cp "$SOURCE"/candidates/examples/host/{half.h,blocked.c} "$1"
    cp "$1/blocked.c" "$1/other.c"
}

# hold GLOB: runners that start wait from now on while a file of that name is there. go: they go on.
# A test that stops a program uses them: a program that waits for a runner does not end before it is told to,
# however fast the machine is.
hold() {
    if [ ! -e "$scratch/holding" ]; then
        mkdir -p "$scratch/holding/bin" "$scratch/holding/share"
        cp "$GEMMGATE" "$scratch/holding/bin/gemmgate"
        ln -s "$SOURCE" "$scratch/holding/share/gemmgate"
        cat >"$scratch/holding/bin/gemmgate-runner" <<END
#!/bin/bash
while read -r glob 2>/dev/null <"$scratch/hold" && compgen -G "\$glob" >/dev/null; do
    : >"$scratch/held"
    sleep 0.05
done
exec "$(dirname "$GEMMGATE")/gemmgate-runner" "\$@"
END
        chmod +x "$scratch/holding/bin/gemmgate-runner"
        GEMMGATE=$scratch/holding/bin/gemmgate
    fi
    rm -f "$scratch/held"
    echo "$1" >"$scratch/hold"
}
go() { rm -f "$scratch/hold"; }

# held PID: waits until a runner of that process waits.
held() {
    until [ -e "$scratch/held" ]; do
        kill -0 "$1" 2>/dev/null || { cat err >&2; fail 'it ended before it could be stopped'; }
        sleep 0.02
    done
}

# stop_where GLOB ARGS...: runs the program and kills it where a runner waits for that file.
stop_where() {
    hold "$1"
    "$GEMMGATE" "${@:2}" >/dev/null 2>err &
    local pid=$!
    held $pid
    kill -9 $pid
    go
    wait $pid || true
}

# tiled TILE: the source of a right kernel of the host with such a tile.
tiled() {
    printf '#include "%s"\n' "$SOURCE/tests/adversarial/host/slow.h"
    echo 'GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {.abi = GEMMGATE_ABI, .name = "tiled", .device = GEMM_HOST,'
    echo "    .accumulate = GEMM_F32, .tile = {$1, $1, $1}, .launch = slow_product};"
}

# use_runner RUNNER: makes GEMMGATE a copy of the program with another runner beside it.
use_runner() {
    mkdir bin share
    cp "$GEMMGATE" bin/gemmgate
    cp "$1" bin/gemmgate-runner
    ln -s "$SOURCE" share/gemmgate
    GEMMGATE=$scratch/bin/gemmgate
}
