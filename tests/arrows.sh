#!/usr/bin/env bash
# Which room may include which, read off the #include lines; no circle of files; and a few words that
# a folder may not use.
#     tests/arrows.sh [SOURCE]               checks the tree and prints a line a violation
#     tests/arrows.sh --self-test [SOURCE]   plants violations in a copy and sees each one caught
# Covers: tests/arrows.sh
set -euo pipefail
unset CDPATH # by which cd goes elsewhere, and says where

# The rule. A folder's rooms stand from top to bottom. A file includes what is in its room or in one
# below; rooms joined by + stand on one floor and may include each other. bench also includes the
# other folders, and every folder includes bench/base.
rooms='
bench command run jobs+checks plan runner record process device base
baselines cuda+.
candidates build set
correctness contract accumulator numbers
reports import gate+store+report sections tables run query page pairs rows
timing .'

# The exceptions: who may include what else, and why.
exceptions='
^(bench|baselines|correctness)/ ^candidates/gemmgate\.h$ the contract that kernels are written to
^candidates/(set|build)/        ^candidates/gemmgate\.h$ the contract
^candidates/examples/           ^candidates/gemmgate\.h$ all that a kernel needs of the project
^candidates/examples/           ^[^/]*$ a header beside the example
^candidates/examples/gate/      ^(\.\./)+(release\.cu?|host/.*|cuda/.*)$ the example that it is a release of
^candidates/standin/            ^(torch/extension|(\.\./gemmgate_torch/)?[a-z]+)\.h$ they stand in for those headers
^candidates/wrapper/            ^(gemmgate|torch/extension|c10/cuda/[A-Za-z]+|wrapper/[a-z_]+)\.h$ compiled with a kernel, as that finds headers
^baselines/                     ^correctness/numbers/number16\.h$ how a 16-bit float is rounded
^reports/                       ^timing/ statistics
^bench/run/environment\.c$      ^git_commit\.h$ written by the build
^reports/                       ^(assets|queries)\.h$ written by the build
^tests/adversarial/             ^((\.\./)*candidates/)?(gemmgate\.h|examples/.*)$ kernels like any other
^tests/adversarial/             ^(\.\./)*((host|cuda|stage|timed|timed/cuda)/)?[a-z0-9_-]*\.(h|cuh)$ what they share
^tests/(unit|support|fuzz|cuda|gate)/ . tests look everywhere'

folders=(bench baselines candidates correctness timing reports)

# sources FOLDER...: their C and CUDA files.
sources() {
    find "$@" -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' | sort
}

# includes FILE...: "FILE LINE HEADER" for every header of the project.
includes() {
    local project
    project=$(IFS='|' && echo "${folders[*]}|tests")
    { grep -HnE '^[[:space:]]*#[[:space:]]*include' "$@" || true; } |
        sed -nE -e 's,^([^:]*):([0-9]+):[^<"]*"([^"]+)".*,\1 \2 \3,p' \
            -e 's,^([^:]*):([0-9]+):[^<"]*<(('"$project"')/[^>]+)>.*,\1 \2 \3,p'
}

# Reads "FILE LINE HEADER" and prints the includes that the rule does not allow.
refuse_includes() {
    rooms=$rooms exceptions=$exceptions awk '
        function folder(path) { return substr(path, 1, index(path, "/") - 1) }
        function room(path,   rest) {
            rest = substr(path, index(path, "/") + 1)
            return folder(path) "/" (index(rest, "/") ? substr(rest, 1, index(rest, "/") - 1) : ".")
        }
        function allowed(file, header,   i) {
            for (i = 1; i <= exception_count; i++)
                if (file ~ who[i] && header ~ what[i]) return 1
            if (header ~ /\.\./ || header !~ /\.(h|cuh?)$/ || !(room(header) in floor)) return 0
            if (!(room(file) in floor)) return 0
            if (room(header) == "bench/base") return 1
            if (folder(file) == folder(header))
                return floor[room(file)] <= floor[room(header)] &&
                    (room(file) == room(header) || room(file) != "bench/base")
            return folder(file) == "bench" && room(file) != "bench/base"
        }
        BEGIN {
            count = split(ENVIRON["rooms"], lines, "\n")
            for (i = 1; i <= count; i++) {
                levels = split(lines[i], names, " ")
                for (j = 2; j <= levels; j++) {
                    same = split(names[j], one, "+")
                    for (k = 1; k <= same; k++) floor[names[1] "/" one[k]] = j
                }
            }
            count = split(ENVIRON["exceptions"], lines, "\n")
            for (i = 1; i <= count; i++)
                if (split(lines[i], names, " ") >= 3) {
                    who[++exception_count] = names[1]
                    what[exception_count] = names[2]
                }
        }
        !allowed($1, $3) { print $1 ":" $2 ": may not include " $3 }'
}

# Reads "FILE LINE HEADER" and prints each circle; a .c file and its .h are one.
refuse_circles() {
    awk '{ sub(/\.[a-z]*$/, "", $1); sub(/\.[a-z]*$/, "", $3); if ($1 != $3) print $1, $3 }' |
        { tsort 2>&1 >/dev/null || true; } | awk '
        function tell() { if (circle != "") print "a circle of files:" circle; circle = "" }
        /contains a loop/ { tell(); next }
        { circle = circle " " $2 }
        END { tell() }'
}

# refuse WHY PATTERN FILE...: prints the lines that match.
refuse() {
    local why=$1 pattern=$2
    shift 2
    { grep -HnE "$pattern" "$@" /dev/null || true; } | sed -E "s|^([^:]*:[0-9]+:).*|\1 $why|"
}

violations() {
    local all quiet clockless conditional shared
    mapfile -t all < <(sources "${folders[@]}" tests)
    includes "${all[@]}" | refuse_includes
    includes "${all[@]}" | refuse_circles
    mapfile -t conditional < <(printf '%s\n' "${all[@]}" |
        grep -vE '\.cuh?$|^candidates/(gemmgate\.h$|standin/)|^correctness/numbers/philox_words\.h$|^tests/adversarial/')
    refuse 'CUDA is chosen by whole files, not by the preprocessor' \
        '^[[:space:]]*#[[:space:]]*(if|ifdef|ifndef|elif)[[:space:]].*(HAVE_|GEMMGATE_|__)CUDA' "${conditional[@]}"
    mapfile -t clockless < <(sources baselines correctness reports)
    refuse 'reads a clock; time is taken in bench/ only' \
        '<(sys/)?time\.h>|\b(clock|clock_seconds|time|clock_gettime|gettimeofday|cudaEvent[A-Za-z]*|__rdtsc)\(' \
        "${clockless[@]}"
    refuse 'may not include a command: the tables stand below them all' \
        '^[[:space:]]*#[[:space:]]*include[[:space:]]*["<]bench/command/[^/]*[">]' bench/command/options/*.[ch]
    refuse 'may not include what measures: these commands work on files of results' \
        '^[[:space:]]*#[[:space:]]*include[[:space:]]*["<]bench/(run|jobs|checks|runner|process|device)/' \
        bench/command/results.c
    refuse 'may not include pages: a run is files' \
        '^[[:space:]]*#[[:space:]]*include[[:space:]]*["<]reports/page/' reports/run/*.[ch]
    mapfile -t shown < <(sources bench/command bench/run bench/jobs bench/checks reports |
        grep -vE '^bench/command/(main|version|options/option_help)\.c$')
    refuse 'prints what strangers may have named or said; text_print_line makes it harmless' \
        '\b(printf|vprintf|puts|putchar)\(|\bfprintf\(stderr, "[^\\]|\bf(puts|putc)\([^"]*\b(stdout|stderr)\b' "${shown[@]}"
    mapfile -t shared < <(sources bench/runner | grep -vE '^bench/runner/(main\.c|requests/.*)$')
    refuse 'may not include a request: it stands below them all' \
        '^[[:space:]]*#[[:space:]]*include[[:space:]]*["<]bench/runner/requests/' "${shared[@]}"
    refuse 'takes NaN for any number; use assert_double_near of tests/support/doubles.h' \
        '\bassert_(float|double)_(not_)?equal\(' "${all[@]}"
    mapfile -t quiet < <(sources baselines correctness timing)
    refuse 'prints to stdout; results are the callers to print' \
        '\b(printf|vprintf|puts|putchar)\(|\bf[a-z]+\(.*\bstdout\b' "${quiet[@]}"
}

check() { # TREE
    local found
    found=$(cd "$1" && violations)
    [ -z "$found" ] || { echo "$found"; return 1; }
}

# plant WHY FILE LINE [FILE LINE]...: the copy with each LINE at the end of its FILE must be refused for
# WHY, an extended regular expression that matches the only line printed.
plant() {
    local why=$1 file
    local -a touched=() said=("$@")
    shift
    while [ $# -gt 0 ]; do
        touched+=("$1")
        mkdir -p "$(dirname "$copy/$1")"
        printf '%s\n' "$2" >>"$copy/$1"
        shift 2
    done
    if check "$copy" >"$work/found"; then
        echo "FAIL: not caught: ${said[*]}" >&2
        failed=yes
    elif ! grep -qE "^$why" "$work/found" || [ "$(wc -l <"$work/found")" != 1 ]; then
        echo "FAIL: ${said[*]}: caught as" >&2
        cat "$work/found" >&2
        failed=yes
    fi
    for file in "${touched[@]}"; do
        if [ -e "$source/$file" ]; then cp "$source/$file" "$copy/$file"; else rm "$copy/$file"; fi
    done
}

# plant_include FILE HEADER: may not be.
plant_include() {
    local line="#include \"$2\""
    [[ $2 != \<* ]] || line="  #  include $2 /* why */"
    local header=${2#<}
    plant "$1:[0-9]+: may not include ${header%>}\$" "$1" "$line"
}

self_test=
if [ "${1-}" = --self-test ]; then
    self_test=yes
    shift
fi
source=$(cd "${1:-$(dirname "$0")/..}" && pwd)
if [ -z "$self_test" ]; then
    check "$source" || exit 1
    echo "the arrows hold"
    exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
copy=$work/copy
failed=
mkdir "$copy"
(cd "$source" && sources "${folders[@]}" tests | tar cf - -T -) | tar xf - -C "$copy"
check "$copy" || { echo "FAIL: the tree itself is refused" >&2; exit 1; }

# Upward inside a folder.
plant_include bench/base/new.c bench/device/new.h
plant_include bench/device/new.c '<bench/process/new.h>'
plant_include bench/process/new.c bench/runner/new.h
plant_include bench/plan/new.c bench/jobs/new.h
plant_include bench/jobs/new.c bench/command/new.h
plant 'bench/command/options/new.c:[0-9]+: may not include a command' bench/command/options/new.c \
    '#include "bench/command/commands.h"'
plant 'bench/command/results.c:[0-9]+: may not include what measures' bench/command/results.c \
    '#include "bench/run/run.h"'
plant 'bench/runner/new.c:[0-9]+: may not include a request' bench/runner/new.c \
    '#include "bench/runner/requests/requests.h"'
plant_include candidates/set/new.c candidates/build/new.h
plant_include correctness/numbers/new.c correctness/contract/new.h
plant 'reports/run/new.c:[0-9]+: may not include pages' reports/run/new.c '#include "reports/page/document.h"'
plant_include reports/query/new.c reports/run/new.h
plant_include reports/page/new.c reports/gate/new.h
# Upward and sideways between folders.
plant_include timing/new.c bench/plan/new.h
plant_include timing/stats.c correctness/numbers/check.h
plant_include correctness/numbers/check.c '<timing/stats.h>'
plant_include correctness/contract/new.c candidates/set/set.h
plant_include candidates/build/new.c correctness/contract/finding.h
plant_include candidates/build/new.c reports/run/rundir.h
plant_include baselines/new.cu timing/stats.h
plant_include baselines/new.c correctness/numbers/check.h
plant_include reports/tables/new.c correctness/contract/finding.h
plant_include reports/tables/new.c '<bench/run/run.h>'
plant_include bench/base/shape.h timing/stats.h
plant_include candidates/gemmgate.h bench/base/shape.h
plant_include candidates/examples/host/new.c correctness/numbers/number16.h
plant_include candidates/examples/cuda/new.cu bench/base/shape.h
plant_include tests/adversarial/new.c bench/base/error.h
plant_include bench/command/main.c tests/support/stderr.h
plant_include correctness/numbers/check.c ../../timing/stats.h
plant_include correctness/numbers/check.c number16.h
plant_include bench/run/new.c bench/hall/new.h
# Circles.
plant 'a circle of files: (timing/[abc] ?){3}$' timing/a.h '#include "timing/b.h"' \
    timing/b.c '#include "timing/c.h"' timing/c.h '#include "timing/a.h"'
plant 'a circle of files: (correctness/numbers/[ab] ?){2}$' \
    correctness/numbers/a.h '#include "correctness/numbers/b.h"' \
    correctness/numbers/b.h '#include "correctness/numbers/a.h"'
# Words.
plant 'bench/command/main.c:[0-9]+: .*whole files' bench/command/main.c '#ifdef HAVE_CUDA'
plant 'correctness/numbers/number16.h:[0-9]+: .*whole files' correctness/numbers/number16.h '#if defined(__CUDACC__)'
plant 'correctness/numbers/number16.h:[0-9]+: .*whole files' correctness/numbers/number16.h '#ifndef __CUDACC__'
plant 'correctness/numbers/check.c:[0-9]+: .*clock' correctness/numbers/check.c '#include <time.h>'
plant 'correctness/contract/facts.c:[0-9]+: .*clock' correctness/contract/facts.c 'x = clock_seconds();'
plant 'baselines/new.c:[0-9]+: .*clock' baselines/new.c 'x = clock_gettime(CLOCK_MONOTONIC, &t);'
plant 'baselines/new.c:[0-9]+: .*clock' baselines/new.c 'status = cudaEventRecord(e, s);'
plant 'timing/stats.c:[0-9]+: .*stdout' timing/stats.c '    printf("%d", 1);'
plant 'baselines/new.c:[0-9]+: .*stdout' baselines/new.c 'fprintf(stdout, "x");'
plant 'bench/command/new.c:[0-9]+: prints what strangers' bench/command/new.c '    printf("%s\n", run);'
plant 'reports/run/new.c:[0-9]+: prints what strangers' reports/run/new.c '    fprintf(stderr, "%s\n", run);'
plant 'reports/run/new.c:[0-9]+: prints what strangers' reports/run/new.c '    fputs(run, stdout);'
plant 'tests/unit/reports/test_new.c:[0-9]+: takes NaN' \
    tests/unit/reports/test_new.c 'assert_float_equal(x, 1, 0);'
[ -z "$failed" ] || exit 1
echo "every planted violation was caught"
