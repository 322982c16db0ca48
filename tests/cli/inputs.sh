#!/usr/bin/env bash
# What timed calls multiply: the checks keep their inputs, a cheat is caught wherever C can show one, and times on inputs where C cannot
# judge no kernel.
. "$(dirname "$0")/lib.sh"

mkdir skips late
cp "$SOURCE"/candidates/examples/host/half.h skips
cat >skips/product.h <<'END2'
#include <gemmgate.h>
#include <string.h>
#include "half.h"
/* With the products of so many l left out. */
static int product(const struct gemm_args *args, int less) {
    const uint16_t *a = args->a, *b = args->b_col;
    const struct gemm_problem p = args->problem;
    for (int64_t i = 0; i < p.m; i++)
        for (int64_t j = 0; j < p.n; j++) {
            float sum = 0;
            for (int64_t l = 0; l < p.k - less; l++)
                sum += half_widen(a[i * p.k + l]) * half_widen(b[j * p.k + l]);
            ((uint16_t *)args->c)[i * p.n + j] = half_narrow(sum);
        }
    return 0;
}
static int launch(void *state, const struct gemm_args *args);
GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {.abi = GEMMGATE_ABI, .name = "mine", .device = GEMM_HOST,
    .accumulate = GEMM_F32, .launch = launch};
END2
cp skips/*.h late
# skips is right on all inputs, and does next to nothing where the elements that it looks at are zero.
printf '#include "product.h"
static int launch(void *state, const struct gemm_args *args) {
    static const uint16_t zeros[16];
    (void)state;
    if (memcmp(args->a, zeros, sizeof zeros) || memcmp(args->b_col, zeros, sizeof zeros)) return product(args, 0);
    memset(args->c, 0, 2 * (size_t)(args->problem.m * args->problem.n));
    return 0;\n}\n' >skips/mine.c
# late passes the checks, and leaves work out while it is timed.
printf '#include "product.h"\nstatic int calls;\nstatic int launch(void *state, const struct gemm_args *args) {
    (void)state;\n    return product(args, ++calls > 20 ? 8 : 0);\n}\n' >late/mine.c
some=(--device host --no-sandbox --baselines openblas-nn --shapes 48x48x64 --visits 2 --warmup 0.02 --duration 1 --precision 0.01)
outcome() { awk -F, '$5 == "mine" { print $6 }' "$1/checks.csv"; }
for inputs in normal uniform integers zeros; do
    expect 0 "$GEMMGATE" run "${some[@]}" --inputs $inputs --candidates skips -o "skips-$inputs"
    [ "$(outcome skips-$inputs)" = ok ] || { cat skips-$inputs/checks.csv >&2; fail "a right kernel is refused on $inputs"; }
    grep -q "\"inputs\": \"$inputs\"" skips-$inputs/plan.json || fail "plan.json does not name $inputs"
    expect 0 "$GEMMGATE" report skips-$inputs
    expect 0 "$GEMMGATE" run "${some[@]}" --inputs $inputs --candidates late -o "late-$inputs"
done
for inputs in normal uniform integers; do
    [ "$(outcome late-$inputs)" = replayed ] ||
        { cat late-$inputs/checks.csv >&2; fail "less work while timed on $inputs is not seen"; }
done
[ "$(outcome late-zeros)" = ok ] || { cat late-zeros/checks.csv >&2; fail 'zeros show what they cannot'; }

# The report says on what was timed, where it is not normals.
! grep -qi 'inputs while timed' skips-normal/report/report.md || fail 'what is usual is told'
for inputs in uniform integers zeros; do
    grep -q "^| inputs while timed | $inputs |" skips-$inputs/report/report.md || fail "the table does not name $inputs"
done
! grep -q 'judges a kernel' skips-normal/report/report.md skips-uniform/report/report.md || fail 'what judges is said not to'
for inputs in integers zeros; do
    grep -q "^\*\*Timed on $inputs: no number here judges a kernel\.\*\* On these inputs a kernel that has seen a few elements can" \
        skips-$inputs/report/report.md || { cat skips-$inputs/report/report.md >&2; fail "the page lets $inputs judge"; }
done
expect 0 "$GEMMGATE" report skips-zeros
told 'Timed on zeros: no number here judges a kernel'

# Runs of different inputs are not compared.
expect 4 "$GEMMGATE" compare skips-normal skips-uniform
says 'inputs: here uniform, there normal'
expect 4 "$GEMMGATE" winners skips-normal skips-uniform
says 'inputs: here normal, there uniform'
expect 4 "$GEMMGATE" agree skips-normal skips-uniform
says 'inputs is "normal" and "uniform"'
expect 2 "$GEMMGATE" run "${some[@]}" --inputs uniform --candidates skips -o skips-normal --resume
says 'inputs'

# A gate does not judge times on inputs where less work gives C to the bit: neither what it would measure nor a run.
for inputs in integers zeros; do
    expect 2 "$GEMMGATE" gate "${some[@]}" --inputs $inputs --candidates skips --against skips -o GATE
    says "--inputs $inputs: a gate cannot judge times on these: a kernel that has seen a few elements can"
    [ ! -e GATE ] || fail 'something was begun'
    expect 0 "$GEMMGATE" run "${some[@]}" --inputs $inputs --candidates skips --against skips -o "AGAINST-$inputs"
    expect 2 "$GEMMGATE" gate "AGAINST-$inputs"
    says "AGAINST-$inputs was timed on $inputs, which a gate cannot judge: "
    grep -q '"verdict": "error"' "AGAINST-$inputs/gate/gate.json" || fail 'gate.json has another verdict'
    expect 2 "$GEMMGATE" winners "skips-$inputs"
    says "skips-$inputs was timed on $inputs, where no kernel can win: "
    expect 0 "$GEMMGATE" compare "AGAINST-$inputs"
    grep -q "Timed on $inputs: no number here judges a kernel" "AGAINST-$inputs/compare/compare.md" || fail 'a comparison lets it judge'
done
few_visits >few.ini
gates "$GEMMGATE" gate "${some[@]}" --inputs uniform --candidates skips --against skips --policy few.ini -o GATE
grep -qi '^| inputs while timed | uniform |' GATE/gate/summary.md || { cat GATE/gate/summary.md >&2; fail 'the summary does not name uniform'; }
# One whose only rows are of a cheat ends as ever.
expect 6 "$GEMMGATE" gate "${some[@]}" --inputs uniform --candidates late --against skips -o CHEAT

expect 2 "$GEMMGATE" run "${some[@]}" --inputs ones --candidates skips -o NONE
says '--inputs ones: normal, uniform, integers or zeros is wanted'

# On a stage, too. What a kernel is recorded on is the checks' own: its products there have the bits of its own process.
. "$SOURCE/tests/support/staged.sh"
for inputs in uniform zeros; do
    expect 0 "$GEMMGATE" "${run[@]}" --inputs $inputs --shapes 32x32x32 --candidates right --visits 2 -o "stage-$inputs"
    [ "$(field stage-$inputs/checks.csv right outcome),$(lenses stage-$inputs right)" = ok,call,device,stream ] ||
        { cat stage-$inputs/*.csv >&2; fail "a right kernel is not timed on $inputs on the stage"; }
    [ "$(column stage-$inputs/recordings.csv result)" = $'same' ] || { cat stage-$inputs/recordings.csv >&2; fail 'its recording is another'; }
    expect 0 "$GEMMGATE" verify "stage-$inputs"
done
echo ok
