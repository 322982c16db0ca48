#!/usr/bin/env bash
# A terminal of 80 columns is enough: tables stay within it, and the line that moves says when the run ends. A log has a
# line a visit.
# Covers: reports/page/write_text.c bench/run/progress.c tests/cli/terminal.sh
. "$(dirname "$0")/lib.sh"

fast=(--device host --shapes 16x16x16,32x32x32,48x48x48 --seed 5 --visits 3 --warmup 0.01 --duration 0.05 --baselines openblas-nn)
mkdir set
cp "$SOURCE"/candidates/examples/host/{blocked.c,half.h} set

# terminal COLUMNS COMMAND...: what the command prints on such a terminal is in ./seen.
terminal() {
    python3 - "$@" >seen <<'END'
import fcntl, os, pty, struct, sys, termios
pid, master = pty.fork()
if pid == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, int(sys.argv[1]), 0, 0))
    os.execv(sys.argv[2], sys.argv[2:])
while True:
    try:
        data = os.read(master, 65536)
    except OSError:
        break
    if not data:
        break
    sys.stdout.buffer.write(data)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
END
}

# widest FILE: the longest line of a terminal but for messages, in characters; a line that moves begins with \r\033[K.
widest() {
    python3 - "$1" <<'END'
import re, sys
text = open(sys.argv[1], encoding="utf-8", newline="").read()
lines = re.split(r"\r\n|\n|\r\x1b\[K", text)
print(max(len(line) for line in lines if not line.startswith("gemmgate: ")))
END
}

expect 0 "$GEMMGATE" run "${fast[@]}" --candidates set --against set -o RUN
[ "$(grep -c '^visit [1-3] of 3, 3/3 ' err)" = 3 ] && [ "$(grep -c '^visit ' err)" = 3 ] ||
    { cat err >&2; fail 'a log has not one line a visit'; }

terminal 80 "$GEMMGATE" compare RUN
[ "$(widest seen)" -le 80 ] || { cat seen >&2; fail 'the table of a comparison is wider than the terminal'; }
for word in class shapes ratio faster undecided mean; do
    grep -qF "$word" seen || { cat seen >&2; fail "the table has lost the column $word"; }
done
terminal 80 "$GEMMGATE" report RUN
[ "$(widest seen)" -le 80 ] || { cat seen >&2; fail 'the table of a report is wider than the terminal'; }
terminal 60 "$GEMMGATE" list suites
[ "$(widest seen)" -le 60 ] || { cat seen >&2; fail 'a list is wider than the terminal'; }
expect 0 "$GEMMGATE" compare RUN
grep -q '^class .* undecided .* mean %$' out || { cat out >&2; fail 'a table is taken apart where there is no terminal'; }

terminal 80 "$GEMMGATE" run "${fast[@]}" --candidates set -o MOVES
[ "$(widest seen)" -lt 80 ] || { cat seen >&2; fail 'the line that moves is wider than the terminal'; }
grep -q $'\r\033\\[Kvisit 2 of 3, 1/3, .* left, ends [0-9][0-9]:[0-9][0-9]: 32x32x32.set' seen ||
    grep -q 'visit 2 of 3, 1/3, .* left, ends [0-9][0-9]:[0-9][0-9]: [0-9x]*\.blocked' seen || { cat -v seen >&2; fail 'the line is cut before the unit'; }
echo ok
