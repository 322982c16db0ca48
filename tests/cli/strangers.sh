#!/usr/bin/env bash
# What strangers name their files and what their compilers print steers neither a terminal nor a CI, and calls nobody.
# Covers: bench/base/text.c bench/base/error.c reports/page bench/command bench/run tests/cli/strangers.sh
. "$(dirname "$0")/lib.sh"

# harmless FILE...: no control character but the end of a line, and no line that a CI obeys.
harmless() {
    local file
    for file in "$@"; do
        ! LC_ALL=C grep -qP '^ *::|##\[|[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]' "$file" || { cat -v "$file" >&2; fail "$file commands"; }
    done
}

fast=(--device host --shapes 16x16x16 --seed 5 --visits 2 --warmup 0.01 --duration 0.05 --baselines openblas-nn)
mkdir set evil
cp "$SOURCE"/candidates/examples/host/{blocked.c,half.h} set
# A name, and a message of the compiler with a file name of its own.
evil=$'a\x1b[2J\n::error::forged\xc2\x9b2J##[error]forged'
cp set/half.h evil
printf '#line 1 "%s"\n#error @team @team/all see this\n' 'x\n::error::planted\033[2J' >evil/blocked.c
cp -r evil "$evil"

expect 6 "$GEMMGATE" check --device host --shapes 16x16x16 --candidates evil -o CHECK
harmless out err
expect 6 "$GEMMGATE" check --device host --shapes 16x16x16 --candidates "$evil" -o CHECK-NAME
harmless out err
expect 2 "$GEMMGATE" build --candidates evil
grep -q 'see this' out || { cat out >&2; fail 'the message of the compiler is not there'; }
harmless out err
expect 2 "$GEMMGATE" build --candidates "$evil"
harmless out err
expect 2 "$GEMMGATE" check --device host --suite "$evil.csv" --candidates set -o NONE
harmless err
expect 2 "$GEMMGATE" compare "$evil" set
harmless err
expect 0 "$GEMMGATE" run "${fast[@]}" --candidates set -o "$evil-RUN"
harmless out err
expect 0 "$GEMMGATE" report "$evil-RUN"
harmless out err
expect 0 "$GEMMGATE" verify "$evil-RUN"
harmless out err
expect 6 "$GEMMGATE" gate "${fast[@]}" --candidates evil --against set -o GATE
harmless out err GATE/gate/summary.md
# GitHub reads @team in a text, not in code, and not where the @ stands in code apart from it.
called() { sed 's/`[^`]*`//g' "$1" | grep '@team'; }
grep -q 'see this' GATE/gate/summary.md || { cat GATE/gate/summary.md >&2; fail 'the summary lacks the message'; }
! called GATE/gate/summary.md >&2 || fail 'the summary calls a team'
# Annotations are commands; none of them is of a stranger's making.
! grep -v '^::\(error\|warning\|notice\) \(file=[^:]*,line=[0-9]*,\)\?title=' GATE/gate/annotations.txt || fail 'a stranger annotates'
expect 0 "$GEMMGATE" report GATE
harmless out GATE/report/report.md
! called GATE/report/report.md >&2 || fail 'the report calls a team'
echo ok
