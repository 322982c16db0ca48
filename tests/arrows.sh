#!/usr/bin/env bash
# Which folder may reach which, read off the #include lines, and a few words a folder may not use.
#     tests/arrows.sh [SOURCE]               checks the tree, a line a violation
#     tests/arrows.sh --self-test [SOURCE]   plants violations in a copy and sees each one caught
set -euo pipefail
unset CDPATH # by which cd goes elsewhere, and says where

self_test=
if [ "${1-}" = --self-test ]; then
    self_test=yes
    shift
fi
source=$(cd "${1:-$(dirname "$0")/..}" && pwd)
folders=(bench baselines candidates correctness timing reports)

# Headers without a folder lie beside the file. The ABI header and the list of outcomes are words
# that several folders share, and include nothing themselves.
floor='bench/(error|shape)\.h'
abi='candidates/gemmgate\.h'
any='[A-Za-z0-9_/]+\.cuh?|[A-Za-z0-9_/]+\.h' # no way out through ..

# allow FILE: sets `allowed`, a regular expression for what it may include of the project.
allow() {
    case $1 in
    bench/error.* | bench/shape.*) allowed="$floor" ;;
    bench/*) allowed="(bench|baselines|candidates|correctness|timing|reports)/($any)|git_commit\.h" ;;
    candidates/examples/*) allowed="$abi|[^/]*" ;;
    candidates/standin/*) allowed="torch/extension\.h" ;;
    candidates/gemmgate.h | bench/base/outcome.h) allowed='nothing' ;;
    candidates/*) allowed="candidates/($any)|$floor" ;;
    baselines/*) allowed="baselines/($any)|$abi|correctness/half\.h|$floor" ;;
    correctness/*) allowed="correctness/($any)|$abi|$floor" ;;
    timing/*) allowed="timing/($any)|$floor" ;;
    reports/*) allowed="reports/($any)|timing/(stats|modality|rounds|light|significance|changes|rank_correlation)\.h|correctness/outcome\.h|$floor" ;;
    tests/adversarial/*) allowed="$abi|[^/]*|(\.\./)+(host/slow\.h|cuda/slow\.cuh|(late|rotation)\.h|candidates/examples/($any))" ;;
    tests/*) allowed='.*' ;;
    esac
}

# includes FILE...: "FILE:LINE:HEADER" for every header of the project.
includes() {
    local project
    project=$(IFS='|' && echo "${folders[*]}|tests")
    { grep -HnE '^[[:space:]]*#[[:space:]]*include' "$@" || true; } |
        sed -nE -e 's,^([^:]*:[0-9]+:)[^<"]*"([^"]+)".*,\1\2,p' \
            -e 's,^([^:]*:[0-9]+:)[^<"]*<(('"$project"')/[^>]+)>.*,\1\2,p'
}

# refuse WHY PATTERN FILE...: prints the lines that match.
refuse() {
    local why=$1 pattern=$2
    shift 2
    { grep -HnE "$pattern" "$@" /dev/null || true; } | sed -E "s|^([^:]*:[0-9]+:).*|\1 $why|"
}

# sources FOLDER...: their C and CUDA files.
sources() {
    find "$@" -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' | sort
}

violations() {
    local file line header allowed all quiet clockless conditional
    mapfile -t all < <(sources "${folders[@]}" tests)
    includes "${all[@]}" | while IFS=: read -r file line header; do
        allow "$file"
        [[ $header =~ ^($allowed)$ ]] ||
            echo "$file:$line: may not include $header"
    done
    mapfile -t conditional < <(printf '%s\n' "${all[@]}" |
        grep -vE '\.cuh?$|^candidates/gemmgate\.h$|^correctness/philox_words\.h$|^tests/adversarial/')
    refuse 'CUDA is chosen by whole files, not by the preprocessor' \
        '^[[:space:]]*#[[:space:]]*(if|ifdef|ifndef|elif)[[:space:]].*(HAVE_|GEMMGATE_|__)CUDA' "${conditional[@]}"
    mapfile -t clockless < <(sources baselines correctness reports)
    refuse 'reads a clock; time is taken in bench/ only' \
        '<(sys/)?time\.h>|\b(clock|time|clock_gettime|gettimeofday|cudaEvent[A-Za-z]*|__rdtsc)\(' \
        "${clockless[@]}"
    mapfile -t quiet < <(sources baselines correctness timing)
    refuse 'takes NaN for any number; use assert_double_near of tests/support/doubles.h' \
        '\bassert_(float|double)_(not_)?equal\(' "${all[@]}"
    refuse 'prints to stdout; results are the callers to print' \
        '\b(printf|vprintf|puts|putchar)\(|\bf[a-z]+\(.*\bstdout\b' "${quiet[@]}"
}

check() { # TREE
    local found
    found=$(cd "$1" && violations)
    [ -z "$found" ] || { echo "$found"; return 1; }
}

# plant FILE LINE WHY: the copy with LINE at the end of FILE must be refused there, and only there.
plant() {
    local file=$1 line=$2 why=$3 made=
    [ -e "$copy/$file" ] || made=yes
    [ "$made" ] || cp "$copy/$file" "$copy/kept"
    mkdir -p "$(dirname "$copy/$file")"
    printf '%s\n' "$line" >>"$copy/$file"
    if check "$copy" >"$copy/found"; then
        echo "FAIL: not caught: $file: $line" >&2
        failed=yes
    elif ! grep -q "^$file:[0-9]*: .*$why" "$copy/found" || [ "$(wc -l <"$copy/found")" != 1 ]; then
        echo "FAIL: $file: $line: caught as" >&2
        cat "$copy/found" >&2
        failed=yes
    fi
    if [ "$made" ]; then rm "$copy/$file"; else mv "$copy/kept" "$copy/$file"; fi
}

if [ -z "$self_test" ]; then
    check "$source" || exit 1
    echo "the arrows hold"
    exit 0
fi

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
failed=
(cd "$source" && tar cf - "${folders[@]}" tests) | tar xf - -C "$copy"
check "$copy" || { echo "FAIL: the tree itself is refused" >&2; exit 1; }
plant timing/stats.c '#include "correctness/numbers/check.h"' 'may not include correctness/numbers/check.h'
plant timing/new.c '#include "bench/base/csv.h"' 'may not include bench/base/csv.h'
plant reports/tables/tables.c '#include "timing/schedule.h"' 'may not include timing/schedule.h'
plant reports/tables/tables.c '#include <bench/run/run.h>' 'may not include bench/run/run.h'
plant reports/new.c '  #  include "bench/device/device.h" /* why */' 'may not include bench/device/device.h'
plant correctness/numbers/check.c '#include "bench/plan/plan.h"' 'may not include bench/plan/plan.h'
plant correctness/numbers/check.c '#include "../timing/stats.h"' 'may not include ../timing/stats.h'
plant bench/base/outcome.h '#include "bench/base/shape.h"' 'may not include bench/base/shape.h'
plant baselines/new.c '#include "correctness/numbers/check.h"' 'may not include correctness/numbers/check.h'
plant baselines/new.cu '#include "timing/stats.h"' 'may not include timing/stats.h'
plant candidates/new.c '#include "correctness/numbers/half.h"' 'may not include correctness/numbers/half.h'
plant candidates/gemmgate.h '#include "bench/base/shape.h"' 'may not include bench/base/shape.h'
plant candidates/examples/host/new.c '#include "correctness/numbers/half.h"' 'may not include correctness'
plant candidates/examples/cuda/new.cu '#include "bench/base/shape.h"' 'may not include bench/base/shape.h'
plant tests/adversarial/new.c '#include "bench/base/error.h"' 'may not include bench/base/error.h'
plant bench/base/shape.h '#include "bench/plan/plan.h"' 'may not include bench/plan/plan.h'
plant bench/command/main.c '#include "tests/support/stderr.h"' 'may not include tests/support/stderr.h'
plant bench/command/main.c '#ifdef HAVE_CUDA' 'whole files'
plant correctness/numbers/half.h '#if defined(__CUDACC__)' 'whole files'
plant correctness/numbers/half.h '#ifndef __CUDACC__' 'whole files'
plant correctness/numbers/check.c '#include <time.h>' 'clock'
plant baselines/new.c 'x = clock_gettime(CLOCK_MONOTONIC, &t);' 'clock'
plant baselines/new.c 'status = cudaEventRecord(e, s);' 'clock'
plant timing/stats.c '    printf("%d", 1);' 'stdout'
plant baselines/new.c 'fprintf(stdout, "x");' 'stdout'
plant tests/unit/reports/test_new.c 'assert_float_equal(x, 1, 0);' 'takes NaN'
[ -z "$failed" ] || exit 1
echo "every planted violation was caught"
