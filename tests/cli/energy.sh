#!/usr/bin/env bash
# --energy: what a call draws, on the stage of a GPU with a counter of energy; without one the run says so and loses nothing.
. "$(dirname "$0")/lib.sh"
. "$SOURCE/tests/support/staged.sh"
export LD_LIBRARY_PATH=${FAKE_NVML_FOLDER:?where libnvidia-ml.so.1 stands in}
measure() { expect 0 "$GEMMGATE" "${run[@]}" --shapes 32x32x32 --candidates right --visits 3 "$@"; }
page() { grep -qF -- "$2" "$1/report/report.md" || { cat "$1/report/report.md" >&2; fail "$1: the page does not say: $2"; }; }

# The counter grows by a joule each time that it is asked, so by two in a row of 0.5 s / 20 us = 25,000 calls, as far as the
# machine is fast enough to make these in time.
FAKE_NVML_MILLIJOULES=1000 measure --energy -o COUNTED
! grep -q 'no counter of energy' err || fail 'a counter is not found'
expect 0 "$GEMMGATE" verify COUNTED
expect 0 "$GEMMGATE" report COUNTED
page COUNTED '## Energy of a call'
joules=$(field COUNTED/times.csv cublas-nn joules)
[[ $joules = ,, ]] || awk -v joules="${joules//,/}" 'BEGIN { exit !(joules > 7.9e-5 && joules < 8.1e-5) }' || fail "$joules J are no 2 J over 25,000 calls"
[ "$joules" = ,, ] || page COUNTED '| 32x32x32 | cublas-nn | 0.08 | '

measure --energy -o UNCOUNTED
says '--energy: NVML has no counter of energy for cuda:0: its calls have no joules'
[ "$(lenses UNCOUNTED right)" = call,device,stream ] || fail 'times are lost'
[ "$(field UNCOUNTED/times.csv right joules)" = ,, ] || fail 'there are joules without a counter'
expect 0 "$GEMMGATE" report UNCOUNTED
page UNCOUNTED '**No energy**: `--energy` was asked for, and no call has joules.'

FAKE_NVML_MILLIJOULES=1000 measure -o UNASKED
[ "$(field UNASKED/times.csv cublas-nn joules)" = ,, ] || fail 'there are joules unasked'
expect 0 "$GEMMGATE" report UNASKED
! grep -q 'Energy of a call' UNASKED/report/report.md || fail 'the page speaks of energy unasked'
expect 2 "$GEMMGATE" run --device host --shapes 32x32x32 --energy -o HOST
says '--energy: NVML counts the energy of GPUs, not of the host; leave it out'
# Where no time is taken that joules belong to, nothing is begun.
for lacking in '--lens call' '--mode server' '--protocol paper'; do
    # shellcheck disable=SC2086 # an option and its word
    expect 2 "$GEMMGATE" "${run[@]}" --shapes 32x32x32 --energy $lacking -o LACKING
    says '--energy: joules belong to times by device, offline, and none is taken; add these to --lens and --mode, or leave --energy out'
done
expect 2 "$GEMMGATE" "${run[@]}" --shapes 32x32x32 --energy --cache cold -o LACKING
says '--energy: calls in a row find their operands warm; leave --cache cold or --energy out'
[ ! -e LACKING ] || fail 'a run without joules was begun'
echo ok
