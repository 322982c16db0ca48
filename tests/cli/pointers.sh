#!/usr/bin/env bash
# A function that keeps addresses is a kernel with pointers = fixed: all of its calls have operands and C at the
# same addresses, whose pages change. What is kept at an address is no answer.
# Covers: bench/device/fixed_memory* bench/runner candidates/set
. "$(dirname "$0")/lib.sh"
host=$GEMMGATE
use_runner "${FAKE_GPU_RUNNER:?a runner whose GPU is the host}"

# Beside the header and the example that they include.
mkdir -p tree/tests/adversarial tree/candidates/examples
cp -r "$SOURCE/tests/adversarial/pointers" "$SOURCE/tests/adversarial/timed" tree/tests/adversarial
cp -r "$SOURCE/candidates/examples/host" tree/candidates/examples
set=tree/tests/adversarial/pointers/host
sed -i 's,^pointers = fixed$,&\ndevice = cuda,' $set/gemmgate.ini

became() { # RUN KERNEL: its outcome
    grep "^64,96,32,$2,$2," "$1/checks.csv" | cut -d, -f6
}
is() { # RUN KERNEL OUTCOMES, an extended regular expression
    became "$1" "$2" | grep -xE "$3" >/dev/null || { cat "$1/checks.csv" >&2; fail "$2 is not $3"; }
}
measure() { # RUN ARGS...
    expect 0 "$GEMMGATE" run --shapes 64x96x32 --candidates $set --visits 1 --warmup 0.05 "${@:2}" -o "$1"
}

# By all lenses of a GPU. A call in a row that is skipped leaves a C that is off where operands differ.
measure RUN --device cuda --duration 1 --no-audit
is RUN keeps ok
is RUN skips 'replayed|unstable'
is RUN answers 'replayed|unstable'
tail -n +2 RUN/times.csv | grep ',keeps,.*,stream,\|stream.*,keeps,' >/dev/null || { cat RUN/times.csv >&2; fail 'calls in a row have no times'; }
expect 0 "$GEMMGATE" verify RUN

# Without the word it is refused: addresses differ from call to call.
sed -i '/^pointers = fixed/d' $set/gemmgate.ini
measure ANY --device cuda --duration 0.2 --no-audit
[ "$(became ANY keeps)" != ok ] || { cat ANY/checks.csv >&2; fail 'a kernel that keeps addresses is ok'; }

# The host.
GEMMGATE=$host
cp "$SOURCE/tests/adversarial/pointers/host/gemmgate.ini" $set
measure HOST --device host --duration 0.5
is HOST keeps ok
is HOST skips 'replayed|unstable'
is HOST answers 'replayed|unstable'

sed -i 's/^pointers = fixed/pointers = kept/' $set/gemmgate.ini
expect 2 "$GEMMGATE" list candidates $set
says "gemmgate.ini:5: pointers is 'kept', and fixed or any is wanted"
