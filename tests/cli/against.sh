#!/usr/bin/env bash
# Two releases in one run: the earlier one is an arm beside the new one, and whatever it does costs the
# new one nothing but the comparison.
# Covers: bench/checks bench/jobs
. "$(dirname "$0")/lib.sh"

host=$SOURCE/tests/adversarial/host
both=$SOURCE/tests/adversarial/both
timed=$SOURCE/tests/adversarial/timed/both
shape=96x80x64

# set_of FOLDER NAME SOURCE: a set with that file under that name.
set_of() {
    mkdir -p "$1"
    echo "#include \"$3\"" >"$1/$2.c"
}
run() { # RUN OLD NEW ARGS...
    local out=$1 old=$2 new=$3
    shift 3
    expect 0 "$GEMMGATE" run --device host --shapes $shape --seed 5 --warmup 0.05 --duration 0.3 \
        --precision 0.01 --baselines openblas-nn --call-timeout 5 --setup-timeout 5 --candidates "$new" \
        --against "$old" -o "$out" "$@"
    expect 0 "$GEMMGATE" verify "$out"
}
outcome() { # RUN KERNEL
    awk -F, -v kernel="$2" '$5 == kernel { print $6 }' "$1/checks.csv"
}
against() { # RUN: how many ratios to the earlier release there are
    awk -F, '$5 == "previous"' "$1/ratios.csv" | wc -l
}

set_of honest mine "$both/honest.c"
run SAME honest honest --visits 2
[ "$(outcome SAME previous)" = ok ] || fail 'the earlier release is not ok'
[ "$(against SAME)" = 1 ] || fail 'no ratio to the earlier release'
grep -q '"removed":\[\]' <(tr -d ' \n' <SAME/plan.json) || fail 'something was removed'

# fate EXPECTED SOURCE: an earlier release that does this is named for it, and the new one is timed.
fate() {
    local name
    name=$(basename "$2" .c)
    set_of "old-$name" mine "$2"
    run "OLD-$name" "old-$name" honest
    case "|$1|" in
    *"|$(outcome "OLD-$name" previous)|"*) ;;
    *) fail "previous $name: $(outcome "OLD-$name" previous), not $1" ;;
    esac
    [ "$(outcome "OLD-$name" mine)" = ok ] || fail "beside $name: $(outcome "OLD-$name" mine)"
    [ "$(awk -F, '$5 == "openblas-nn"' "OLD-$name/ratios.csv" | wc -l)" = 1 ] ||
        fail "beside $name nothing is timed"
    [ "$(against "OLD-$name")" = 0 ] || fail "$name has a ratio"
}
fate no-compile "$host/no-compile.c"
fate crashed "$host/crash.c"
fate inexact "$both/wrong-element.c"
fate exited "$timed/exit-late.c"
fate 'replayed' "$timed/every-second.c"

# kernel FOLDER SETUP LAUNCH: bodies of the two.
kernel() {
    mkdir "$1"
    cat >"$1/mine.c" <<END
#include "$host/slow.h"
#include "$SOURCE/tests/adversarial/timed/late.h"
#include <sys/auxv.h>
static int setup(const struct gemm_problem *problem, size_t bytes, void **state) {
    (void)problem, (void)bytes, (void)state;
    $2
}
static int launch(void *state, const struct gemm_args *args) {
    $3
}
GEMMGATE_EXPORT const struct kernel_ops gemmgate_kernel = {.abi = GEMMGATE_ABI,
    .name = "mine", .device = GEMM_HOST, .accumulate = GEMM_F32, .setup = setup, .launch = launch};
END
}

# One that fails in some of many processes is named, whichever it is; nobody's times become another's. Which
# they are is drawn: the kernel gives each process random bytes, and of 12 processes one in 4096 times none fails.
drawn='*(const unsigned char *)getauxval(AT_RANDOM) % 2'
kernel fails "return $drawn;" 'return slow_product(state, args);'
kernel crashes "if ($drawn) __builtin_trap(); return 0;" 'return slow_product(state, args);'
for pair in fails:setup-failed crashes:crashed; do
    run "FIRST-${pair%:*}" "${pair%:*}" honest --visits 12
    [ "$(outcome "FIRST-${pair%:*}" previous)" = "${pair#*:}" ] && [ "$(outcome "FIRST-${pair%:*}" mine)" = ok ] ||
        { cat "FIRST-${pair%:*}/checks.csv" >&2; fail "an earlier release that ${pair%:*} now and then is not named alone"; }
    [ "$(against "FIRST-${pair%:*}")" = 0 ] || fail "an earlier release that ${pair%:*} now and then has a ratio, or its column has another's times"
    run "SECOND-${pair%:*}" honest "${pair%:*}" --visits 12
    [ "$(outcome "SECOND-${pair%:*}" mine)" = "${pair#*:}" ] && [ "$(outcome "SECOND-${pair%:*}" previous)" = ok ] ||
        { cat "SECOND-${pair%:*}/checks.csv" >&2; fail "a new release that ${pair%:*} now and then is not named alone"; }
done

# Each has a process of its own: no process has the files of both, by whatever name, and both have times by
# call. Of both processes the samples are kept.
kernel sees 'FILE *maps = fopen("/proc/self/maps", "r");
    char line[4096];
    int kernels = 0;
    while (maps && fgets(line, sizeof line, maps))
        kernels += strstr(line, "r-xp") && strstr(line, getenv("GEMMGATE_CACHE"));
    if (maps) fclose(maps);
    return kernels > 1;' 'return slow_product(state, args);'
sed -i '1i #include <stdio.h>\n#include <stdlib.h>\n#include <string.h>' sees/*.c
mkdir cache
export GEMMGATE_CACHE=$scratch/cache
run ALONE sees sees --visits 3
unset GEMMGATE_CACHE
[ "$(outcome ALONE previous),$(outcome ALONE mine)" = ok,ok ] || { cat ALONE/checks.csv >&2; fail 'a process has loaded both kernels'; }
[ "$(against ALONE)" = 1 ] || { cat ALONE/ratios.csv >&2; fail 'no ratio between two processes'; }
[ "$(awk -F, '$5 == "previous" { print $10 }' ALONE/visits.csv | wc -l)" = 3 ] || { cat ALONE/visits.csv >&2; fail 'not every visit has both'; }
for file in offline.call.f32 offline.call.previous.f32; do
    [ -s "ALONE/units/96x80x64.mine/$file" ] || fail "the samples of a process are not kept: $file"
done

# The other way round it is the new one that is named, and not the earlier one.
for name in exit-late every-second; do
    set_of "new-$name" mine "$timed/$name.c"
    run "NEW-$name" honest "new-$name"
    case "$(outcome "NEW-$name" mine)" in
    exited | replayed) ;;
    *) fail "new $name: $(outcome "NEW-$name" mine)" ;;
    esac
    [ "$(outcome "NEW-$name" previous)" = ok ] ||
        fail "beside new $name previous is $(outcome "NEW-$name" previous)"
done

# Each has a tile of its own.
for tile in 32 48; do
    mkdir "tile$tile"
    tiled $tile >"tile$tile/mine.c"
done
shape=50x17x65
run TILES tile32 tile48
[ "$(outcome TILES mine)" = ok ] || fail 'a tile beside another fails'
[ "$(outcome TILES previous)" = ok ] || fail 'the other tile fails'
[ "$(column TILES/checks.csv padding_share | sort -u | wc -l)" = 3 ] || fail 'the tiles are not two'

# What only one of them has.
mkdir more && cp honest/mine.c more/mine.c && cp honest/mine.c more/gone.c
run GONE more honest
grep -q '"removed":\["gone"\]' <(tr -d ' \n' <GONE/plan.json) || fail 'the kernel that is gone is not told'
run ADDED honest more
[ "$(against ADDED)" = 1 ] || fail 'a kernel without an earlier release is compared'
expect 2 "$GEMMGATE" run --device host --shapes $shape --against honest -o NONE
says '--candidates'
echo ok
