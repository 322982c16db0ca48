#!/usr/bin/env bash
# A store of promoted runs as a user has it: promote, list, history, and what is refused.
. "$(dirname "$0")/lib.sh"

# Runs that are made up: a store takes none whose controls failed, as they may on a busy machine.
MADE_RUN=${MADE_RUN:?the program that makes runs}
holds() { # TEXT: the last expect's stdout does
    grep -qF -- "$1" out || { cat out >&2; fail "stdout lacks: $1"; }
}
baseline() { # STATUS ARGS...
    local want=$1
    shift
    expect "$want" "$GEMMGATE" baseline "$@"
}

"$MADE_RUN" FIRST 1 4
"$MADE_RUN" SECOND 2 4
"$MADE_RUN" ONE 1 1

# What is no baseline leaves no store.
baseline 2 promote ONE --store STORE
says 'measure with --visits 4'
baseline 2 promote NONE --store STORE
says 'NONE/plan.json'
baseline 2 promote FIRST --store STORE --name ../FIRST
says 'cannot name an entry'
baseline 2 promote FIRST --store SECOND
says 'is no store and not empty either'
cp -r FIRST EDITED
sed -i '2s/\.\([0-9]\)/.1\1/' EDITED/ratios.csv
baseline 2 promote EDITED --store STORE
says 'not what its samples give'
cp -r FIRST STOPPED
sed -i 's/"complete": true/"complete": false/' STOPPED/manifest.json
baseline 2 promote STOPPED --store STORE
says 'is not complete'
[ ! -e STORE ] || fail 'a refused promotion left a store'
baseline 2 list --store STORE
says 'is no store'

baseline 0 promote FIRST --store STORE
holds 'promoted as 20'
sleep 1 # promotions are sorted by the second
# Where there is something to be held against, a run that no gate has judged wants a reason; so does the same again.
baseline 2 promote SECOND --store STORE --name second
says 'SECOND: was not gated, so nothing says whether it is slower than 20'
expect 0 "$GEMMGATE" gate SECOND --against STORE
baseline 0 promote SECOND --store STORE --name second
holds 'promoted as second (fingerprint '
baseline 2 promote SECOND --store STORE --name third
says 'SECOND: is there already, as second; to keep it all the same, give a reason: --force REASON'
# Another card, which began in the same second, is another run.
cp -r SECOND CARD
sed -i 's/"uuid": "[^"]*"/"uuid": "GPU-b"/; s/^ "driver"/ "devices": [{"label": "cuda:0", "uuid": "GPU-b"}],\n&/' CARD/manifest.json
rm CARD/xxh128sums
cp -r STORE CARDS
baseline 0 promote CARD --store CARDS --name card --force 'a test'
! grep -q 'is there already' err || fail 'another card is taken for the same run'
"$MADE_RUN" THIRD 3 4
baseline 2 promote THIRD --store STORE --name second --force 'a test'
says 'has an entry second already'
baseline 0 list --store STORE
[ "$(wc -l <out)" = 3 ] || fail 'list has not a head and a line an entry'
tail -n 1 out | grep ' second .* 2  *4  ' >/dev/null || fail 'the newest is not last'
baseline 0 list --store STORE --json
[ "$(grep -c '^    "entry": ' out)" = 2 ] || { cat out >&2; fail 'the JSON has not an object an entry'; }
tail -n 12 out | grep '^    "entry": "second",$' >/dev/null || { cat out >&2; fail 'the newest is not last'; }

expect 0 "$GEMMGATE" history --store STORE
[ "$(grep -c '^64x64x64 .* openblas-max .* 2  second ' out)" = 1 ] || { cat out >&2; fail 'history lacks the second run'; }
expect 0 "$GEMMGATE" history --store STORE --baseline openblas-tn
grep '^64x64x64 .* openblas-tn ' out >/dev/null || fail 'history is not against the library that was named'
expect 2 "$GEMMGATE" history --store STORE --baseline none
says 'no promoted run has anything against none'
# A gate that came to no verdict on the kernels has not judged them, whatever word it left.
cp -r THIRD UNJUDGED
mkdir -p UNJUDGED/gate
for word in error interrupted environment not-comparable passed; do
    printf '{"verdict": "%s", "reason": "a test"}\n' "$word" >UNJUDGED/gate/gate.json
    baseline 2 promote UNJUDGED --store STORE
    says "UNJUDGED: its gate ended with '$word' and judged nothing, so nothing says whether it is slower than second"
done
for word in wrong regression coverage; do
    printf '{"verdict": "%s", "reason": "a test"}\n' "$word" >UNJUDGED/gate/gate.json
    baseline 2 promote UNJUDGED --store STORE
    says "UNJUDGED: its gate ended with $word: a test; to keep it all the same"
done

# Wherever a first promotion is stopped, the next one goes on, and nothing of it stays.
mkdir -p BEGUN/.part/x EMPTY
baseline 2 list --store EMPTY
says 'EMPTY: is no store: it has no promoted run'
for store in BEGUN EMPTY; do
    baseline 0 promote FIRST --store $store
    baseline 0 list --store $store
    [ "$(wc -l <out)" = 2 ] || { cat out >&2; fail "$store has not its one entry"; }
    [ "$(ls -A $store | wc -l)" = 1 ] || { ls -A $store >&2; fail "$store holds what a stopped promotion has left"; }
done

# An entry is a run without samples: it is read as any run is, and shows whether it was changed.
[ ! -e STORE/second/units ] || fail 'samples were kept'
expect 0 "$GEMMGATE" verify STORE/second
holds 'a promoted run has no samples, and its files are as they were'
expect 0 "$GEMMGATE" agree FIRST STORE/second
expect 0 "$GEMMGATE" gate SECOND --against STORE/second
expect 0 "$GEMMGATE" compare FIRST STORE/second
baseline 0 promote STORE/second --store COPY --name again
baseline 0 list --store COPY
cmp SECOND/ratios.csv COPY/again/ratios.csv

# A run that is much slower is told as such, however few there are, with the commits between which it became so.
"$MADE_RUN" SLOW 9 4 0.6
cp -r STORE SLOWER
sleep 1
baseline 0 promote SLOW --store SLOWER --name slow --force 'a test'
expect 0 "$GEMMGATE" history --store SLOWER --baseline openblas-max -o PAGES
tr '\n' ' ' <out >line
grep -qF 'Changes of level: 2 to slower, 0 to faster' line || { cat out >&2; fail 'a run that is 37 % slower is no change'; }
grep -qF -- '-37.' line && grep -qF ' in slow, with the kernels of 01234567.' line || { cat out >&2; fail 'the change has no size or commit'; }
grep -q '^second  *slow  *01234567  ' out || { cat out >&2; fail 'the runs before and after are not named'; }
expect 0 "$GEMMGATE" history --store STORE --baseline openblas-max
tr '\n' ' ' <out | grep -qF 'Changes of level: 0 to slower, 0 to faster' || { cat out >&2; fail 'two equal runs differ'; }

# Wrong usage is a line that names the fault.
misused() { # TEXT WORDS...
    local text=$1
    shift
    expect 2 "$GEMMGATE" "$@"
    says "$text"
    [ "$(wc -l <err)" = 1 ] || fail "usage is more than a line: $*"
}
misused 'unknown command baseline; `gemmgate --help` lists them' baseline
misused 'baseline promote: RUN is wanted' baseline promote
misused 'baseline promote: --store STORE is wanted' baseline promote FIRST
misused 'baseline list: --store STORE is wanted' baseline list
misused 'baseline list: too many arguments: X' baseline list X --store STORE
misused 'baseline list: a value is wanted: --store STORE' baseline list --store
misused '--store two: STORE is given already' baseline list --store STORE --store two
misused 'unknown command baseline; `gemmgate --help` lists them' baseline remove second --store STORE
misused 'baseline list takes no --name; that is an option of: baseline promote' \
    baseline list --store STORE --name x
misused 'baseline list takes no --stor; `gemmgate baseline list --help` lists its options' baseline list --stor STORE
misused 'history: --store STORE is wanted' history
expect 0 "$GEMMGATE" history --store STORE
grep -q 'What changed when' out || { cat out >&2; fail 'no page over all shapes'; }
misused 'history: too many arguments: more' history --store STORE more
misused 'history takes no --claims; that is an option of: report' history --store STORE --claims x

# Faults in the store, each by its file.
fault() { # WORDS SED-SCRIPT FILE COMMAND...
    local words=$1 script=$2 file=$3
    shift 3
    cp "$file" kept
    sed -i "$script" "$file"
    ! cmp -s "$file" kept || fail "$script changed nothing in $file"
    expect 2 "$GEMMGATE" "$@" --store STORE
    says "$file$words"
    cp kept "$file"
}
fault ' is not as it was when the run was complete' '$s/.$/7/;t;s/$/7/' STORE/second/visits.csv history
fault ' is not as it was when the run was complete' '2d' STORE/second/ratios.csv history
fault ": promoted at 'soon" 's/"at": "2/"at": "soon/' STORE/second/manifest.json baseline list
cp -r THIRD STORE/third
baseline 2 list --store STORE
says 'STORE/third: was not promoted, and does not belong into a store; move it elsewhere'
rm -r STORE/third
touch STORE/README.md
baseline 0 list --store STORE
[ "$(wc -l <out)" = 3 ] || fail 'the faults left something'
echo ok
