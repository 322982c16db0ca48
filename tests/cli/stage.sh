#!/usr/bin/env bash
# The stage: on a GPU device times are taken where no kernel's process is. What a kernel does there costs its own row.
. "$(dirname "$0")/lib.sh"
. "$SOURCE/tests/support/staged.sh"
mkdir set
cp right/* set

# staged NAME CODE: a kernel that is right, and on the stage does so instead. recorded NAME HOW.
staged() { printf '#include "product.h"\nKERNEL("%s")\nGEMMGATE_EXPORT int fake_kernel(void *state, const struct gemm_args *args) {\n%s\n}\n' "$1" "$2" >"${set-set}/$1.c"; }
recorded() { printf '#include "product.h"\nKERNEL("%s")\nGEMMGATE_EXPORT const char fake_recording[] = "%s";\n' "$1" "${2-$1}" >"set/$1.c"; }

# Two units of different shapes, one after the other on one stage.
expect 0 "$GEMMGATE" "${run[@]}" --shapes 32x32x32,48x16x64 --candidates right --visits 4 -o RIGHT
[ "$(field RIGHT/recordings.csv right result)" = same,same ] || { cat RIGHT/recordings.csv >&2; fail 'a right kernel is not recorded'; }
[ "$(field RIGHT/checks.csv right outcome)" = ok,ok ] || { cat RIGHT/checks.csv >&2; fail 'a right kernel is refused'; }
[ "$(lenses RIGHT right)" = call,device,stream,call,device,stream ] || { cat RIGHT/times.csv >&2; fail 'a lens is not timed'; }
[[ $(awk -F, '$5 == "right" { print $7, $9, $11 }' RIGHT/times.csv | sort -u | paste -sd,) = 'call own 2,device stage 4,stream stage 4' ]] ||
    { cat RIGHT/times.csv >&2; fail 'not every visit is on the stage, or not every third has a process of its own'; }
grep -F 'a call: 1 kernels, 0 fills, 0 copies, 0 allocations, 0 syncs; main 1x1x1 blocks' RIGHT/checks.csv >/dev/null ||
    { cat RIGHT/checks.csv >&2; fail 'it is not told what a call does'; }
expect 0 "$GEMMGATE" verify RIGHT

# What becomes of a kernel on the stage costs its own row, and the run goes on.
staged status 'return late() ? 9 : product(state, args);'
staged dies 'if (late()) abort(); return product(state, args);'
staged lost 'return late() ? 700 : product(state, args);'
staged hangs 'if (late()) pause(); return product(state, args);'
staged spoils 'if (late()) *(uint16_t *)args->a ^= 1; return product(state, args);'
staged wrong 'const int status = product(state, args); *(uint16_t *)args->c ^= 0x4000; return status;'
# Nothing that it could know lies behind the C of all eight calls, 4 MiB each.
staged reaches '
    static char *first;
    if (!first) first = args->c;
    if (late()) first[8 * (4 << 20)] = 1;
    return product(state, args);'
# Its memory is made anew before the recorded calls begin again.
cat >set/counts.c <<'END'
#include "product.h"
static int setup(const struct gemm_problem *problem, size_t bytes, void **state) {
    (void)problem, (void)bytes;
    return (*state = calloc(1, sizeof(int))) ? 0 : 1;
}
KERNEL("counts", .setup = setup, .teardown = free)
GEMMGATE_EXPORT int fake_kernel(void *state, const struct gemm_args *args) {
    return ++*(int *)state > 8 ? 8 : product(state, args);
}
END
# Wrong in its own process after 40 calls, and so where it is recorded. On the stage it is right.
cat >set/tires.c <<'END'
#include "product.h"
static int tires(void *state, const struct gemm_args *args) {
    static int made;
    const int status = product(state, args);
    if (++made > 40) *(uint16_t *)args->c = 0x6000; /* 512 */
    return status;
}
GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {.abi = GEMMGATE_ABI,
    .name = "tires", .device = GEMM_CUDA, .accumulate = GEMM_F32, .launch = tires};
END
# There is no recording, or none that can be carried out.
for how in stream late-stream magic version base claimed; do recorded $how; done
# An error of CUDA that a kernel has handled and left behind is no fault, neither of it nor of ours.
cat >set/leaves.c <<'END'
#include "product.h"
static int leave(int status) { return setenv("FAKE_GPU_LEFT", "invalid argument", 1) ? 9 : status; }
static int setup(const struct gemm_problem *problem, size_t bytes, void **state) {
    (void)problem, (void)bytes, (void)state;
    return leave(0);
}
static int leaves(void *state, const struct gemm_args *args) {
    (void)state, (void)args;
    return leave(product(state, args));
}
GEMMGATE_EXPORT int fake_kernel(void *state, const struct gemm_args *args) { return product(state, args); } /* on the stage */
KERNEL("leaves", .setup = setup, .launch = leaves)
END
# One that does not launch for it has written nothing, and is told why.
sed 's/"leaves"/"refused"/; s/leave(product(state, args))/leave(0)/' set/leaves.c >set/refused.c
expect 0 "$GEMMGATE" "${run[@]}" --shapes 32x32x32 --candidates set --visits 1 --duration 0.2 --call-timeout 1 -o SET
is() { # KERNEL OUTCOME DETAIL: in $made, or SET
    grep -E "^[0-9,]*,$1,$1,$2,.*$3" "${made-SET}/checks.csv" >/dev/null || { grep ",$1,$1," "${made-SET}/checks.csv" >&2; fail "$1 is not $2: $3"; }
}
is status launch-failed 'on the stage: while timed: .*status 9'
is lost device-error 'on the stage: while timed: an illegal memory access'
is hangs timed-out 'on the stage: '
is spoils device-error 'on the stage: while timed: an illegal memory access' # A is sealed
is wrong dishonest 'carried out without its library, in two of two processes: C'
is tires unstable 'while it was recorded: in its own process C\[0\]\[0\] = 512, '
[ "$(field SET/recordings.csv tires result)" = wrong ] || { grep tires SET/recordings.csv >&2; fail 'its call in its own process is not looked at'; }
is reaches device-error 'on the stage: while timed: an illegal memory access'
is counts ok ''
is leaves ok ''
is refused nan 'it was not written, .*; printed: the call has left an error of CUDA: invalid argument'
is right ok ''
places() { awk -F, -v kernel="$2" '$5 == kernel { print $7 "=" $9 }' "$1/times.csv" | sort | paste -sd,; }
for kernel in right counts leaves; do
    [ "$(places SET $kernel)" = call=own,device=stage,stream=stage ] || fail "$kernel has other times: $(places SET $kernel)"
done
for kernel in status lost hangs spoils wrong tires reaches; do
    [ -z "$(lenses SET $kernel)" ] || fail "$kernel has times"
done
unrecorded() { # KERNEL PART WHY: no recording is no fault of the kernel's. It has times by call, which nothing bounds.
    is "$1" unrecorded "$2: the kernel cannot be recorded: .*$3"
    [ "$(places SET "$1")" = call=unbounded ] || { grep ",$1,$1," SET/times.csv >&2; fail "$1 has other times: $(places SET "$1")"; }
}
# Its process on the stage has ended, in which no code of its own runs: that accuses nobody.
is dies unrecorded 'on the stage: while timed: signal 6'
[ "$(places SET dies)" = call=unbounded ] || { grep ,dies,dies, SET/times.csv >&2; fail "dies has other times: $(places SET dies)"; }
unrecorded stream calls 'it works on another stream than the one it is given: hand that one over'
unrecorded late-stream last-calls 'it works on another stream than the one it is given: hand that one over'
unrecorded magic calls 'the recording: it is of another format'
unrecorded version calls 'the recording: it is of another format'
unrecorded base calls 'the recording: it was recorded in another range of memory'
unrecorded claimed calls 'its process claims a recording that cannot be there'
# Facts are told of the others.
grep -F 'a call: 1 kernels, 0 fills, 0 copies, 0 allocations, 0 syncs; main 1x1x1 blocks' SET/checks.csv >/dev/null ||
    { cat SET/checks.csv >&2; fail 'it is not told what a call does'; }
[ "$(grep -c ',cublas-nn,ok,' SET/checks.csv)" = 18 ] || { cat SET/checks.csv >&2; fail 'a library has lost its row'; }
expect 0 "$GEMMGATE" verify SET

# Device work takes four times as long as calls of it do only where these are other work: calls were skipped. Caches may explain
# less: nothing bounds such a call, nor one that launches other kernels than were recorded. Its row says so.
mkdir bound
cp right/* bound
set=bound staged longer 'usleep(110000); return product(state, args);'
set=bound staged cached 'usleep(30000); return product(state, args);'
{ cat bound/longer.c; echo 'GEMMGATE_EXPORT const char fake_recording[] = "other-work";'; } | sed 's/"longer"/"elsewhere"/' >bound/elsewhere.c
expect 0 "$GEMMGATE" "${run[@]}" --lens call,device --shapes 32x32x32 --candidates bound --visits 3 --duration 0.3 -o BOUND
made=BOUND is longer too-fast 'a call takes [0-9.]+ us in its own process, and its device work alone [0-9.]+ us on the stage: calls were skipped'
made=BOUND is elsewhere ok 'its timed calls launch other kernels than were recorded of it: '
made=BOUND is cached ok 'the caches hold other things, or its times are not true; nothing bounds them'
made=BOUND is right ok ''
[ "$(places BOUND elsewhere) $(places BOUND cached) $(places BOUND right)" = 'call=unbounded,device=stage call=unbounded,device=stage call=own,device=stage' ] ||
    { cat BOUND/times.csv >&2; fail 'calls of other work are bounded, or others are not'; }

# A gate refuses it, unless the policy allows it: then it is judged by call.
mkdir apart
cp right/*.h set/stream.c apart
gate=(gate "${run[@]:1}" --shapes 32x32x32 --candidates apart --against apart --visits 2)
expect 6 "$GEMMGATE" "${gate[@]}" -o REFUSED
told 'unrecorded'
{ few_visits && echo 'unrecorded = allow'; } >allow.ini
gates "$GEMMGATE" "${gate[@]}" --policy allow.ini -o ALLOWED
[ "$(lenses ALLOWED stream),$(lenses ALLOWED previous)" = call,call ] || { cat ALLOWED/times.csv >&2; fail 'it is judged by another lens'; }

# A machine on which nothing can be recorded measures by call alone.
FAKE_GPU_BLIND=1 expect 5 "$GEMMGATE" "${run[@]}" --shapes 32x32x32 --candidates right --visits 1 -o BLIND
says 'no CUPTI to record with'
says '--lens call'
FAKE_GPU_BLIND=1 expect 0 "$GEMMGATE" "${run[@]}" --lens call --shapes 32x32x32 --candidates right --visits 1 -o BYCALL
[ "$(field BYCALL/checks.csv right outcome),$(places BYCALL right)" = ok,call=unbounded ] || { cat BYCALL/*.csv >&2; fail 'it is not timed by call'; }

mkdir ahead
cp right/* ahead
# In a row it makes all products but the first in the eighth call. C of the call before holds numbers in a row alone.
set=ahead staged puts-off '
    static struct gemm_args kept[8];
    static int count;
    static const uint16_t *last_c;
    const int row = last_c && (*last_c & 0x7fff) <= 0x7c00;
    if (row || count > 0) {
        kept[count++] = *args;
        while (count > 0 && args->c == kept[6].c) product(state, &kept[--count]);
        return 0;
    }
    last_c = args->c;
    return product(state, args);'
# It knows the operands of later calls, and makes their products in the first call of a row. Later calls find them. Where a row ends
# early, A of its last call has changed since.
cat >ahead/ahead.c <<'END'
#include "product.h"
KERNEL("ahead")
GEMMGATE_EXPORT int fake_kernel(void *state, const struct gemm_args *args) {
    static struct gemm_args seen[8];
    static int count;
    int at = 0;
    while (at < count && seen[at].c != args->c) at++;
    if (at == count && count < 8) seen[count++] = *args;
    if ((*(const uint16_t *)args->c & 0x7fff) <= 0x7c00) return 0;
    for (int i = at; i < count; i++) product(state, &seen[i]);
    return 0;
}
END
# Nothing but the times by device bounds those by stream: they are taken with them.
expect 0 "$GEMMGATE" "${run[@]}" --lens stream --shapes 64x64x64 --candidates ahead --visits 2 --duration 2 -o AHEAD
[ "$(places AHEAD right)" = device=stage,stream=stage ] || { cat AHEAD/times.csv >&2; fail "stream is taken without device"; }
grep -q ',ahead,ahead,replayed,.*on the stage: while timed: .*elements of C are off' AHEAD/checks.csv || { cat AHEAD/checks.csv AHEAD/times.csv >&2; fail 'products that are made ahead are not seen'; }
grep -q ',puts-off,puts-off,replayed,.*on the stage: while timed: .*elements of C were left unwritten' AHEAD/checks.csv ||
    { cat AHEAD/checks.csv >&2; fail 'products that are put off are not seen'; }
[ "$(field AHEAD/checks.csv right outcome)" = ok ] || { cat AHEAD/checks.csv >&2; fail 'an honest kernel is accused of it'; }

# It keeps a 16-bit sum, where C is small, only where operands lie at the fixed addresses of a process that records.
mkdir coarse
cp right/*.h coarse
cat >coarse/coarse.c <<'END'
#include "product.h"
static int coarse(void *state, const struct gemm_args *args) {
    const uint16_t *a = args->a, *b = args->b_col;
    const struct gemm_problem p = args->problem;
    if ((uintptr_t)a >> 36 != 0x3ab) return product(state, args);
    for (int64_t i = 0; i < p.m; i++)
        for (int64_t j = 0; j < p.n; j++) {
            float all = 0, kept = 0;
            for (int64_t l = 0; l < p.k; l++) {
                const float one = half_widen(a[i * p.k + l]) * half_widen(b[j * p.k + l]);
                all += one;
                kept = l == 15 ? half_widen(half_narrow(kept + one)) : kept + one;
            }
            ((uint16_t *)args->c)[i * p.n + j] = half_narrow(all > 8 || all < -8 ? all : kept);
        }
    return 0;
}
KERNEL("coarse", .launch = coarse)
END
expect 0 "$GEMMGATE" "${run[@]}" --shapes 64x64x256 --candidates coarse --visits 1 --seed 1 -o COARSE
grep -q ',coarse,coarse,precision,"it claims f32; as it was recorded: ' COARSE/checks.csv ||
    { cat COARSE/checks.csv >&2; fail 'a recording that keeps less than is claimed passes'; }
echo ok
