#!/usr/bin/env bash
# Two releases in one run: the earlier one is an arm beside the new one, and whatever it does costs the
# new one nothing but the comparison.
. "$(dirname "$0")/lib.sh"

host=$SOURCE/tests/adversarial/host
timed=$SOURCE/tests/adversarial/timed/host
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

set_of honest mine "$host/honest.c"
run SAME honest honest --rounds 2
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
fate inexact "$host/wrong-element.c"
fate exited "$timed/exit-late.c"
fate 'replayed' "$timed/every-second.c"

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
    sed "s|\"slow.h\"|\"$host/slow.h\"|; s|.launch = |.tile = {$tile, $tile, $tile},\n    .launch = |" \
        "$host/honest.c" >"tile$tile/mine.c"
done
shape=50x17x65
run TILES tile32 tile48 --count-padding
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
