#!/usr/bin/env bash
# `call` at a stated launch: the ratios are those that the samples give another reader, and pages say at which launch
# they stand.
. "$(dirname "$0")/lib.sh"
own=$GEMMGATE
. "$SOURCE/tests/support/staged.sh"

# launched RUN: how many rows are stated at a launch; each row is as an independent reader has it.
cat >launch.py <<'PY'
import csv, json, math, struct, sys, statistics as st

run, wanted = sys.argv[1], json.load(open(f"{sys.argv[1]}/plan.json"))["launch_us"] * 1e-6
def check(row, blocks, yard, at):
    def ratio(of):
        visits = {}
        for i, b in enumerate(blocks):
            visits.setdefault(b["@visit"], []).append(math.log(of(row["baseline"], i, b) / of(row["candidate"], i, b)))
        return math.exp(st.mean(st.median((x + y) / 2 for j, x in enumerate(v) for y in v[j:]) for v in visits.values()))

    for name, value in (("ratio", ratio(at)), ("plain_ratio", ratio(lambda arm, i, b: b[arm])), ("launch_seconds", math.exp(st.mean(map(math.log, yard))))):
        assert abs(float(row[name]) / value - 1) < 1e-6, (row["baseline"], name, row[name], value)
    return 1


stated = 0
for row in csv.DictReader(open(f"{run}/ratios.csv")):
    if row["baseline"].endswith("-max"):
        continue
    unit = f"{run}/units/{row['m']}x{row['n']}x{row['k']}.{row['candidate']}"
    index = json.load(open(f"{unit}/samples.json"))[f"{row['mode']}.{row['lens']}"]
    names = index["columns"]
    data = open(f"{unit}/{row['mode']}.{row['lens']}.f32", "rb").read()
    flat = struct.unpack(f"<{len(data) // 4}f", data)
    blocks = [dict(zip(names, flat[i:i + len(names)])) for i in range(0, len(flat), len(names))]
    blocks = [b for b in blocks if b["@doubles"] == 0]
    arms = [name for name in names if name[0] != "@" and ":" not in name]
    if row["lens"] in ("device", "stream"):
        if not wanted:
            assert not row["launch_seconds"] and not row["plain_ratio"], row
            continue
        at_visit = {}
        for b in blocks:
            at_visit.setdefault(b["@visit"], []).append(b["@empty"])
        yard = [st.median(at_visit[b["@visit"]]) for b in blocks]
        at = lambda arm, i, b: b[arm] - min(yard[i], b[arm]) + min(yard[i], b[arm]) / yard[i] * {"device": 2.8e-6, "stream": 1.55e-6}[row["lens"]]
        stated += check(row, blocks, yard, at)
        continue
    host = {arm: [b["@host:" + arm] for b in blocks] for arm in arms}
    share = {arm: st.median(h / b[arm] for h, b in zip(host[arm], blocks)) for arm in arms}
    libraries = [arm for arm in arms if arm not in (row["candidate"], "previous") and share[arm] < 0.95]
    if not libraries or not wanted:
        assert not row["launch_seconds"] and not row["plain_ratio"], row
        continue
    yard = [math.exp(st.mean(math.log(host[arm][i]) for arm in libraries)) for i in range(len(blocks))]

    def at(arm, i, b):
        beside = st.median(h / y for h, y in zip(host[arm], yard))
        h = min(host[arm][i], b[arm]) if share[arm] < 0.95 and beside < 1.5 else 0
        return b[arm] - h + h * wanted / yard[i]

    stated += check(row, blocks, yard, at)
print(stated)
PY
launched() { python3 launch.py "$1" || { cat "$1/ratios.csv" >&2; fail "$1: the ratios are others"; }; }

few=(run --device cuda --no-sandbox --baselines cublas-nn,cublas-tn --lens call,wait --warmup 0.01 --duration 0.2 --visits 3 --shapes 32x32x32)
expect 0 "$GEMMGATE" "${few[@]}" --candidates right -o TEN
expect 0 "$GEMMGATE" "${few[@]}" --candidates right --launch 25 -o MORE
expect 0 "$GEMMGATE" "${few[@]}" --candidates right --launch 0 -o PLAIN
[ "$(launched TEN)" -ge 2 ] && [ "$(launched MORE)" -ge 2 ] && [ "$(launched PLAIN)" = 0 ] || fail 'by call nothing is stated at a launch, or where nothing should be'
expect 0 "$GEMMGATE" verify TEN

# On the stage: at an empty call.
staged=(run --device cuda --no-sandbox --baselines cublas-nn --lens device,stream --warmup 0.01 --duration 0.2 --visits 2 --shapes 32x32x32 --candidates right)
expect 0 "$GEMMGATE" "${staged[@]}" -o EMPTY
expect 0 "$GEMMGATE" "${staged[@]}" --launch 0 -o FULL
[ "$(launched EMPTY)" = 2 ] && [ "$(launched FULL)" = 0 ] || fail 'by device and stream nothing is stated at an empty call, or where nothing should be'
expect 0 "$GEMMGATE" report EMPTY
grep -q 'by device at an empty call of 2.8 µs (here it took ' EMPTY/report/report.md || { grep -n 'tated' EMPTY/report/report.md >&2; fail 'the page does not say at which empty call its ratios stand'; }

# A page says it once.
for run in TEN:10 MORE:25; do
    expect 0 "$GEMMGATE" report "${run%:*}"
    [ "$(grep -c "stated by call at a launch of ${run#*:} µs" "${run%:*}/report/report.md")" = 1 ] || fail "the page of ${run%:*} does not say at which launch its ratios stand"
done
few_visits >few.ini
for page in gate/summary.md gate/gate.html; do
    for us in 10 25; do
        [ -d GATE-$us ] || gates "$GEMMGATE" gate --device cuda --no-sandbox --baselines cublas-nn --lens call --warmup 0.01 --duration 0.1 --policy few.ini --shapes 32x32x32 --candidates right --against right --launch $us -o GATE-$us
        [ "$(grep -o "at a launch of $us µs" GATE-$us/$page | wc -l)" = 1 ] || fail "$page does not say at which launch its ratios stand"
    done
done
expect 0 "$GEMMGATE" report PLAIN
! grep -q 'at a launch of' PLAIN/report/report.md || fail 'a page states a launch of ratios that are as measured'

# One whose launches of a library are slow from its 13th call on: that library's rows are read right, too. (This GPU's clock
# does not count the host: tests/unit/reports/test_launch.c has what it earns.)
mkdir slow
cat >slow/slow.c <<END
#define _GNU_SOURCE 1
#define TIMES 3
#include "../right/product.h"
#include "$SOURCE/tests/adversarial/timed/slows.h"
static int launch(void *state, const struct gemm_args *args) {
    static int made;
    if (++made > 12 && !launch_once)
        slow_a_library();
    return product(state, args);
}
GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {.abi = GEMMGATE_ABI, .name = "slow", .device = GEMM_CUDA,
    .accumulate = GEMM_F32, .launch = launch};
END
expect 0 "$GEMMGATE" "${few[@]}" --candidates slow -o SLOW
[ "$(launched SLOW)" -ge 2 ] || fail 'beside slow launches nothing is stated'

# A call of the host device has no launch, however short it is.
mkdir blocked
cp "$SOURCE"/candidates/examples/host/{half.h,blocked.c} blocked
expect 0 "$own" run --device host --no-sandbox --shapes 8x8x8,32x32x32 --baselines openblas-nn --candidates blocked --warmup 0.01 --duration 0.05 --visits 2 -o HOST
[ -z "$(column HOST/ratios.csv launch_seconds | tail -n +2 | tr -d '\n')" ] || fail 'on the host device a ratio is stated at a launch'

expect 2 "$own" run --device host --shapes 8x8x8 --candidates blocked --launch 10 -o FAR
says '--launch: a call of the host device has no launch'
expect 2 "$GEMMGATE" "${few[@]}" --candidates right --launch 1001 -o FAR
says '--launch'
