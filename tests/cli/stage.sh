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
[ "$(field RIGHT/replays.csv right result)" = same,same ] || { cat RIGHT/replays.csv >&2; fail 'a right kernel is not replayed'; }
[ "$(field RIGHT/checks.csv right outcome)" = ok,ok ] || { cat RIGHT/checks.csv >&2; fail 'a right kernel is refused'; }
[ "$(lenses RIGHT right)" = call,device,stream,call,device,stream ] || { cat RIGHT/times.csv >&2; fail 'a lens is not timed'; }
[[ $(awk -F, '$5 == "right" { print $7, $11 }' RIGHT/times.csv | sort -u | paste -sd,) = 'call 2,device 4,stream 4' ]] || { cat RIGHT/times.csv >&2; fail 'not every visit is on the stage, or not every third has a process of its own'; }
expect 0 "$GEMMGATE" verify RIGHT

# What becomes of a kernel on the stage costs its own row, and the run goes on.
staged status 'return late() ? 9 : product(state, args);'
staged dies 'if (late()) abort(); return product(state, args);'
staged lost 'return late() ? 700 : product(state, args);'
staged hangs 'if (late()) pause(); return product(state, args);'
staged spoils 'if (late()) *(uint16_t *)args->a ^= 1; return product(state, args);'
staged wrong 'const int status = product(state, args); *(uint16_t *)args->c ^= 0x4000; return status;'
# Into the outputs of all four arms, which lie behind those of calls: 8 pieces of two MiB and guards.
staged reaches '
    static char *first;
    if (!first) first = args->c;
    if (late()) for (int i = 0; i < 4 * 512; i++) ((uint16_t *)(first + (8 + i / 512) * (4 << 20)))[i % 512] = 0x4000;
    return product(state, args);'
# Its memory is made anew before the recorded calls begin again. Its times are those of the stage.
cat >set/counts.c <<'END'
#include "product.h"
static int setup(const struct gemm_problem *problem, size_t bytes, void **state) {
    (void)problem, (void)bytes;
    return (*state = calloc(1, sizeof(int))) ? 0 : 1;
}
KERNEL("counts", .setup = setup, .teardown = free)
GEMMGATE_EXPORT int fake_kernel(void *state, const struct gemm_args *args) {
    usleep(10000);
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
# A recording that cannot be carried out: its kernel is unrecorded, and timed by call in its own process.
for how in refused magic version base claimed; do recorded $how; done
expect 0 "$GEMMGATE" "${run[@]}" --shapes 32x32x32 --candidates set --visits 1 --call-timeout 1 -o SET
is() { # KERNEL OUTCOME DETAIL: both as extended regular expressions
    field SET/checks.csv "$1" outcome | grep -xE "$2" >/dev/null && grep ",$1,$1," SET/checks.csv | grep -E "$3" >/dev/null ||
        { grep ",$1,$1," SET/checks.csv >&2; fail "$1 is not $2: $3"; }
}
is status launch-failed 'on the stage: while timed: .*status 9'
is dies crashed 'on the stage: '
is lost device-error 'on the stage: while timed: an illegal memory access'
is hangs timed-out 'on the stage: '
is spoils crashed 'on the stage: .*' # A is sealed
is wrong dishonest 'replayed without its library, in two of two processes: C'
is tires unstable 'in another process: natively C\[0\]\[0\] = 512, '
[ "$(field SET/replays.csv tires result)" = wrong ] || { grep tires SET/replays.csv >&2; fail 'its call in its own process is not looked at'; }
is reaches 'replayed|unstable|precision|crashed' 'on the stage: '
is counts ok ''
field SET/times.csv counts median | awk -F, '{ exit !($1 < 0.001 && $2 >= 0.001 && $3 >= 0.001) }' || { cat SET/times.csv | grep counts >&2; fail 'device times are not those of the stage'; }
is right ok ''
for kernel in right counts; do [ "$(lenses SET $kernel)" = call,device,stream ] || fail "$kernel has no times"; done
for kernel in status dies lost hangs spoils wrong tires reaches; do
    [ -z "$(lenses SET $kernel)" ] || fail "$kernel has times"
done
[ "$(grep -c ',cublas-nn,ok,' SET/checks.csv)" = 15 ] || { cat SET/checks.csv >&2; fail 'a library has lost its row'; }
own() { # KERNEL WHY
    is "$1" unrecorded "calls: the kernel does not let its calls of CUDA be recorded: $2 \\(unrecorded\\)" && grep -F ",$1,$1,1,no,$2," SET/replays.csv >/dev/null ||
        { cat SET/replays.csv >&2; fail "$1 is replayed, or not for: $2"; }
    [ "$(lenses SET "$1")" = call ] || fail "$1 is not timed by call alone"
}
own refused 'the fake GPU cannot record it'
own magic 'the recording: it is of another format'
own version 'the recording: it is of another format'
own base 'the recording: it was recorded in another range of memory'
own claimed 'its process claims a recording that cannot be there'
# Facts are told of the others.
grep -F 'a call: 1 kernels, 0 fills, 0 copies, 0 allocations, 0 syncs; main 1x1x1 blocks' SET/checks.csv >/dev/null ||
    { cat SET/checks.csv >&2; fail 'it is not told what a call does'; }
[ -z "$(field SET/replays.csv refused kernels)" ] && [ -n "$(field SET/replays.csv right native_kernels)" ] ||
    { cat SET/replays.csv >&2; fail 'the last calls of the timed process are not watched'; }
expect 0 "$GEMMGATE" verify SET

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
expect 0 "$GEMMGATE" "${run[@]}" --lens device,stream --shapes 64x64x64 --candidates ahead --visits 2 --duration 2 -o AHEAD
grep -q ',ahead,ahead,replayed,.*on the stage: while timed: .*elements of C are off' AHEAD/checks.csv || { cat AHEAD/checks.csv AHEAD/times.csv >&2; fail 'products that are made ahead are not seen'; }
grep -q ',puts-off,puts-off,replayed,.*on the stage: while timed: .*elements of C were left unwritten' AHEAD/checks.csv ||
    { cat AHEAD/checks.csv >&2; fail 'products that are put off are not seen'; }
[ "$(field AHEAD/checks.csv right outcome)" = ok ] || { cat AHEAD/checks.csv >&2; fail 'an honest kernel is accused of it'; }
echo ok
