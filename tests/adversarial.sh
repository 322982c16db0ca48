#!/usr/bin/env bash
# Each planted kernel says in its first comment which outcome it must get, and what it does. A file that does not is named.
#     tests/adversarial.sh SOURCE
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() {
    echo "FAIL: $*" >&2
    exit 1
}
list=$1/tests/adversarial/list
"$list" >"$scratch/listed"
unknown=$(cut -f2 "$scratch/listed" | tr -s '|: ()' '\n' | sort -u | grep -vxF cuda |
    grep -vxF -f <(sed -nE 's/^ *X\([A-Z_]+, "([a-z-]+)".*/\1/p' "$1/bench/base/outcome.h")) || true
[ -z "$unknown" ] || fail "these are no outcomes: $unknown"

mkdir "$scratch/kernels"
printf '/* Its setup fails. expect: setup-failed */\n' >"$scratch/kernels/whole.c"
printf '/* expect: replayed (cuda: unstable) */\n/* Keeps\n * C. */\nint x; /* later */\n' >"$scratch/kernels/two.cu"
[ "$("$list" "$scratch/kernels")" = $'two.cu\treplayed (cuda: unstable)\tKeeps C.\nwhole.c\tsetup-failed\tIts setup fails.' ] ||
    fail 'the first comments are read otherwise'
printf '/* Does what it wants. */\n' >"$scratch/kernels/outcomeless.c"
printf '/* expect: ok */\n' >"$scratch/kernels/wordless.c"
! "$list" "$scratch/kernels" >"$scratch/out" 2>"$scratch/err" || fail 'kernels that say nothing pass'
[ "$(cat "$scratch/err")" = 'outcomeless.c names no outcome: its first comment lacks `expect: OUTCOME`
wordless.c does not say what it does' ] || { cat "$scratch/err" >&2; fail 'kernels that say nothing are not named'; }
echo "ok: $(wc -l <"$scratch/listed") kernels"
