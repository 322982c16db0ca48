#!/usr/bin/env bash
# A GPU whose memory was short before a kernel was loaded is the machine's fault, and no kernel's.
# Covers: bench/run bench/jobs bench/runner tests/support/fake_*
. "$(dirname "$0")/lib.sh"
use_runner "${FAKE_GPU_RUNNER:?a runner whose GPU is the host}"

mkdir good bad
cp "$SOURCE"/candidates/examples/host/half.h good
sed 's/GEMM_HOST/GEMM_CUDA/g' "$SOURCE/candidates/examples/host/blocked.c" >good/blocked.c
# Its setup fails, as where an allocation does.
sed 's/\.setup = setup,/.setup = fails,/; /^GEMMGATE_EXPORT/i static int fails(const struct gemm_problem *p, size_t b, void **s) { (void)setup, (void)p, (void)b, (void)s; return 2; }' \
    good/blocked.c >bad/blocked.c
cp good/half.h bad
grep -q 'setup = fails' bad/blocked.c || fail 'no setup that fails is made'
gate() { # STATUS ROOM NEW OLD RUN
    FAKE_GPU_ROOM=$2 expect "$1" "$GEMMGATE" gate --device cuda:0 --shapes 96x96x96 --no-sandbox --warmup 0.01 --duration 0.04 \
        --candidates "$3" --against "$4" -o "$5"
}
outcome() { awk -F, -v kernel="$2" 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } $c["kernel"] == kernel { print $c["outcome"] }' "$1/checks.csv"; }

# With memory enough it is the kernel's own failure; with little it is the machine's.
gate 6 4096 bad good ROOM
[ "$(outcome ROOM blocked)" = setup-failed ] || fail "with room enough: $(outcome ROOM blocked)"
gate 5 100 bad good SHORT
[ "$(outcome SHORT blocked)" = no-memory ] || fail "with too little: $(outcome SHORT blocked)"
grep -q 'this machine had too little device memory for 1 of 1 kernels on shapes' out || { cat out >&2; fail 'the gate does not say so'; }
grep -q '100 MiB of the device were free before it was loaded' SHORT/checks.csv || fail 'how much there was is not said'
grep -q '^environment,' SHORT/gate/gate.csv || { cat SHORT/gate/gate.csv >&2; fail 'a kernel is blamed'; }
# Nor does a gate pass where the earlier kernel had no room and nothing is compared.
gate 5 100 good bad OLD
[ "$(outcome OLD previous)" = no-memory ] || fail "the earlier one: $(outcome OLD previous)"
grep -q '^environment,.*the earlier kernel: too little device memory' OLD/gate/gate.csv || { cat OLD/gate/gate.csv >&2; fail 'the earlier kernel is not told'; }

# A process that is killed from outside, as where memory is short, is tried once more. Who is killed again has crashed.
mkdir killed
cp good/half.h killed
for when in once always; do
    sed "s/\"blocked\"/\"$when\"/; /^static int launch(/i #include <fcntl.h>\n#include <signal.h>\n#include <stdio.h>\n#include <unistd.h>\nstatic void end(void) { if (access(\"$scratch/${when/once/once.seen}\", F_OK) < 0) fclose(fopen(\"$scratch/$when.seen\", \"w\")), raise(SIGKILL); }" good/blocked.c |
        sed '/^static int launch(/,/{$/s/{$/{ end();/' >killed/$when.c
done
expect 0 "$GEMMGATE" check --fail-on nothing --device cuda:0 --shapes 16x16x16 --no-sandbox --candidates killed -o KILLED
says 'once: a process of it was killed by a signal that came from elsewhere: is there memory? The shape is tried once more, alone'
outcomes=$(awk -F, '$5 == "once" || $5 == "always" { print $5, $6 }' KILLED/checks.csv | sort | paste -sd,)
[ "$outcomes" = 'always crashed,once ok' ] || { cat KILLED/checks.csv err >&2; fail "killed: $outcomes"; }

# Where something of the harness's own fails on a healthy GPU no kernel is blamed: the program says what, and that is all.
FAKE_GPU_NO_SWEEP=1 gate 2 4096 good good SWEEP
says 'a hold, a copy or a sweep failed; printed: '
says 'a sweep: out of memory'
! grep -q 'device-error' SWEEP/*.csv out || fail 'a kernel is blamed for a fault of ours'
grep -q '^error' out || { cat out >&2; fail 'the gate has another verdict'; }
echo ok
