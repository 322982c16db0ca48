#!/usr/bin/env bash
# What is said where nothing can be measured or judged: each message names what is wrong and what to do, and
# every command that is printed can be given as it stands.
# Covers: bench/command bench/plan reports/gate candidates/set ci/demo
. "$(dirname "$0")/lib.sh"

fast=(--device host --shapes 16x16x16 --seed 5 --visits 2 --warmup 0.01 --duration 0.05)
mkdir set
cp "$SOURCE"/candidates/examples/host/{blocked.c,half.h} set

# Nothing to compare with: told before anything is measured.
expect 2 "$GEMMGATE" gate "${fast[@]}" --candidates set -o NONE
says 'there is nothing to compare with: name the earlier kernels (--against)'
# The first change of a project, and a slip of the pen.
expect 2 "$GEMMGATE" gate "${fast[@]}" --candidates set --against nowhere -o NONE
says '--against nowhere: No such file or directory; where there is no earlier kernel yet, --absolute lets the checks alone decide'
# A lens and a mode of the policy that this run cannot have.
printf '[gate]\nlens = device\n' >device.ini
expect 2 "$GEMMGATE" gate "${fast[@]}" --candidates set --against set --policy device.ini -o NONE
says 'the policy judges the lens device, by which nothing is timed here in the mode offline'
printf '[gate]\nmode = server\n' >server.ini
expect 2 "$GEMMGATE" gate "${fast[@]}" --candidates set --against set --policy server.ini -o NONE
says 'the policy judges the mode server, which is not measured: add --mode server'
# The help says the policy that counts where none is given: that of merge.ini.
expect 0 "$GEMMGATE" gate --help
sed -n '/^\[gate\]/,/^\[gate\.class/p' "$SOURCE/ci/policies/merge.ini" | sed -n '/^[a-z].* = /p' >keys
[ "$(wc -l <keys)" -ge 10 ] || { cat keys >&2; fail 'merge.ini has lost its keys'; }
while read -r line; do
    told "$line"
done <keys
printf '[gate]\nmargin = 3 %%\nknown = known.ini\n' >old-policy.ini
expect 2 "$GEMMGATE" gate "${fast[@]}" --candidates set --against set --policy old-policy.ini -o NONE
says "old-policy.ini:3: 'known' is no key of [gate], which has margin,"
[ ! -e NONE ] || fail 'it was measured all the same'

expect 2 "$GEMMGATE" gate ''
says 'gate: argument 1 is empty'
expect 2 "$GEMMGATE" compare set
says 'compare set: it is no run directory; give two folders of kernels, OLD and NEW'
touch file
expect 2 "$GEMMGATE" run "${fast[@]}" --candidates set -o file/RUN
says 'file/RUN: cannot make the run directory: Not a directory'

# Checks alone, and the numbers of two plans as people write them.
expect 0 "$GEMMGATE" check --device host --shapes 16x16x16 --candidates set -o CHECKED
expect 2 "$GEMMGATE" gate CHECKED
grep -q 'no kernel was timed, and so nothing is compared' out || { cat out >&2; fail 'a gate of nothing'; }
expect 0 "$GEMMGATE" gate CHECKED --absolute
expect 0 "$GEMMGATE" run "${fast[@]}" --baselines openblas-nn --duration 0.3 --candidates set --against set -o RUN
grep -q 'of the speed of the earlier set by call' err || { cat err >&2; fail 'progress is not against the earlier set'; }
expect 2 "$GEMMGATE" run "${fast[@]}" --baselines openblas-nn --duration 0.4 --candidates set --against set --resume -o RUN
says 'duration_seconds was 0.3 and is now 0.4;'

# A set's kernels decide the device: where there is no GPU a CUDA source is not measured on the host.
if ! "$GEMMGATE" devices | grep '^cuda:0 ' >/dev/null; then
    mkdir cuda
    cp "$SOURCE"/candidates/examples/cuda/naive.cu cuda 2>/dev/null || echo 'int main(void);' >cuda/naive.cu
    for command in run check gate compare; do
        case $command in
        compare) words=(cuda cuda) ;;
        gate) words=(--candidates cuda --against cuda) ;;
        *) words=(--candidates cuda) ;;
        esac
        expect 77 "$GEMMGATE" $command "${words[@]}" --shapes 16x16x16 -o NONE
        says 'naive.cu is a CUDA source, and there is no CUDA device'
    done
    expect 2 "$GEMMGATE" run "${fast[@]}" --candidates cuda -o NONE
    says '--device host: naive.cu is a CUDA source, which runs on a GPU only'
    [ ! -e NONE ] || fail 'it was measured all the same'
fi
# What this machine lacks is no fault of the kernel: neither a compiler nor CUTLASS.
mkdir cutlass
printf '#include "cutlass/gemm/device/gemm.h"\n' >cutlass/blocked.c
for lacking in cutlass set; do
    rm -rf UNBUILT
    got=0
    CC=$([ $lacking = cutlass ] || echo /nowhere/cc) GEMMGATE_CACHE=$PWD/other-cache \
        "$GEMMGATE" gate "${fast[@]}" --candidates $lacking --against set --baselines openblas-nn -o UNBUILT >out 2>err || got=$?
    [ "$got" = 5 ] || { cat out err >&2; fail "a machine that cannot compile $lacking: status $got"; }
    grep -q 'this machine could not compile 1 of 1 kernels on shapes' out || { cat out >&2; fail 'it does not say so'; }
    [ $lacking = set ] || grep -q -- '--cutlass DIR' out || { cat out >&2; fail 'CUTLASS is not named'; }
done

# What can be refused is refused before anything is measured: two sets without a kernel in common.
mkdir unpaired
cp set/half.h unpaired
cp set/blocked.c unpaired/other.c
expect 2 "$GEMMGATE" compare set unpaired "${fast[@]}" -o UNPAIRED
says 'no kernel of unpaired has the name of one of set on the same shape; if it is the same kernel by another name, say so: --renamed OLD=NEW'
[ ! -e UNPAIRED ] || fail 'it was measured all the same'
# A gate says how to judge it again, and that ends as the gate did.
printf '[gate]\nmargin = 50 %%\nundecided = 100 %%\n' >'my policy.ini'
first=0 again=0
"$GEMMGATE" gate RUN --policy 'my policy.ini' --release >out 2>err || first=$?
line=$(sed -n 's/.*To judge them again: `gemmgate \(.*\)`\.$/\1/p' RUN/gate/summary.md)
[ "$line" = "gate RUN --policy 'my policy.ini' --release" ] || fail "it says: $line"
eval "\"$GEMMGATE\" $line" >out 2>err || again=$?
[ "$first" = "$again" ] || { cat out err >&2; fail "judged again it ends with $again, not $first"; }
# Going on with it by other options, or by kernels that have not changed, leaves what it has come to.
cp -r RUN/gate judged
for words in '--shapes 32x32x32 --candidates set --against set' '--shapes 16x16x16 --candidates set --changed set'; do
    # shellcheck disable=SC2086
    expect 2 "$GEMMGATE" gate --device host --visits 2 $words --resume -o RUN
    diff -r RUN/gate judged || fail "--resume with other options ($words) writes into a gate that has ended"
done

# --fail-on refused; build takes the shapes of a run; a run that was stopped needs --resume and -o alone.
mkdir both
cp set/* both
echo 'no C' >both/32x32x32.c
expect 0 "$GEMMGATE" check --device host --shapes 16x16x16,32x32x32 --candidates both --fail-on nothing -o LAX
expect 6 "$GEMMGATE" check --device host --shapes 16x16x16,32x32x32 --candidates both -o STRICT
tail -1 out | grep -q '^STRICT: 2 of 3 kernels on shapes passed; 1 refused, the first: 32x32x32 both does not compile: .*error' || { cat out >&2; fail 'the refused kernel is not named'; }
expect 6 "$GEMMGATE" check --json --resume --device host --shapes 16x16x16,32x32x32 --candidates both -o STRICT
says 'STRICT: 2 of 3 kernels on shapes passed; 1 refused, the first: 32x32x32 both does not compile'
strict=("${fast[@]/16x16x16/32x32x32}" --candidates both)
expect 0 "$GEMMGATE" run "${strict[@]}" -o LAX-RUN
[ "$(cat out)" = LAX-RUN ] || { cat out >&2; fail 'a run prints more than its folder'; }
expect 6 "$GEMMGATE" run "${strict[@]}" --fail-on refused --resume -o LAX-RUN
says 'LAX-RUN: 1 of 2 kernels on shapes passed; 1 refused, the first: 32x32x32 both does not compile'
expect 0 "$GEMMGATE" check --device host --shapes 16x16x16 --candidates both -o FINE
[ "$(cat out)" = 'FINE: 1 of 1 kernels on shapes passed' ] || { cat out >&2; fail 'the kernels that passed are not counted'; }

# A comparison says first what was refused of the new set, with a row for each, and does not blame an earlier one.
expect 0 "$GEMMGATE" compare set both "${fast[@]/16x16x16/16x16x16,32x32x32}" --duration 0.3 -o SOME
refused='kernels on shapes passed; 1 refused, the first: 32x32x32'
for page in out SOME/compare/compare.md; do
    tr -s '\n' ' ' <$page | grep -q "^[# ]*Comparison of two releases [*]*Not all is compared[*]*: of the new release 2 of 3 $refused both does not compile: " || { cat $page >&2; fail 'it does not begin with what was refused'; }
done
grep -q '^wrong,32,32,32,both,.*does not compile: ' SOME/compare/compare.csv && grep -q '^| wrong | 32x32x32 | `both` | `does not compile: ' SOME/compare/compare.md ||
    { cat SOME/compare/compare.md >&2; fail 'what was refused has no row'; }
expect 6 "$GEMMGATE" compare SOME --fail-on refused
says "SOME: of the new release 2 of 3 $refused both does not compile"
mkdir none
echo 'no C' >none/blocked.c
expect 2 "$GEMMGATE" compare set none "${fast[@]/16x16x16/32x32x32}" -o WRONG
says "WRONG: of the new release 0 of 1 $refused blocked does not compile"
! grep -q earlier err || { cat err >&2; fail 'an earlier kernel is blamed'; }
grep -q '^wrong,32,32,32,blocked,.*does not compile: ' WRONG/compare/compare.csv || { cat WRONG/compare/compare.csv >&2; fail 'what was refused has no row'; }
expect 6 "$GEMMGATE" compare WRONG --fail-on refused
expect 6 "$GEMMGATE" compare SOME WRONG --fail-on refused
says "WRONG: of the new release 0 of 1 $refused blocked"
expect 6 "$GEMMGATE" build --candidates both --fail-on refused
expect 0 "$GEMMGATE" build --candidates both --fail-on refused --shapes 16x16x16
grep -q '^1 of 1 compiled' out || { cat out >&2; fail 'build does not keep to the shapes'; }
expect 2 "$GEMMGATE" build --candidates both --suite smoke --sample 3
says '--sample: give the --seed of the run'
sed -i 's/"complete": true/"complete": false/' LAX/manifest.json
mkdir elsewhere
(cd elsewhere && "$GEMMGATE" check --resume -o ../LAX) >out 2>err || { cat out err >&2; fail 'a run does not go on without its options'; }
says 'resuming: '
grep -q '"complete": true' LAX/manifest.json || fail 'it did not go on'
expect 2 "$GEMMGATE" check --resume -o LAX --candidates set
says '--suite or --shapes is wanted'

# The commit of the kernels' own repository is in gate.json and in the store.
git -c init.defaultBranch=main init -q set && git -C set add . &&
    git -C set -c user.name=a -c user.email=a@b commit -qm kernels
commit=$(git -C set rev-parse HEAD)
expect 0 "$GEMMGATE" check --device host --shapes 16x16x16 --candidates set -o REPO
expect 0 "$GEMMGATE" gate REPO --absolute
grep -q "\"kernels_commit\": \"$commit\"" REPO/gate/gate.json || fail 'the commit of the kernels is not in gate.json'
# Kernels that a repository around them does not have are not of its commit.
mkdir set/unknown && cp set/blocked.c set/half.h set/unknown
expect 0 "$GEMMGATE" check --device host --shapes 16x16x16 --candidates set/unknown -o UNKNOWN
grep -q '"kernels_commit": null' UNKNOWN/manifest.json || fail 'the commit of a repository around kernels is taken for theirs'
rm -r set/unknown

# A kernel by another name is compared where that is said; else it is told why nothing is.
mkdir renamed
cp set/half.h renamed && cp set/blocked.c renamed/fast.c
expect 0 "$GEMMGATE" run "${fast[@]}" --baselines openblas-nn --candidates renamed --against set -o APART
expect 2 "$GEMMGATE" compare APART
says 'no kernel of the earlier set has the name of one of the new set'
expect 0 "$GEMMGATE" run "${fast[@]}" --baselines openblas-nn --duration 0.3 --candidates renamed --against set --renamed blocked=fast -o TOGETHER
expect 0 "$GEMMGATE" compare TOGETHER --fail-on refused
! grep -q refused out || { cat out >&2; fail 'a right kernel is refused'; }
expect 2 "$GEMMGATE" run "${fast[@]}" --candidates renamed --against set --renamed other=fast -o NONE
says '/set has no kernel other'

# Only what changed, as it is compiled: the rest is carried over.
mkdir old new
for shape in 16x16x16 32x32x32; do cp set/blocked.c old/$shape.c; done
cp set/half.h old && cp old/* new
expect 0 "$GEMMGATE" gate --device host --shapes 16x16x16,32x32x32 --candidates new --changed old -o SAME
unmeasured() { # RUN: it passes, and shows that where CI looks
    told 'pass (exit status 0): no kernel of the shapes asked for has changed since old: nothing was measured'
    [ ! -e "$1/units" ] && grep -q '^::notice title=gemmgate pass::no kernel of the shapes' "$1/gate/annotations.txt" && [ -s "$1/gate/summary.md" ] ||
        fail 'CI is not shown that nothing was measured'
}
unmeasured SAME
expect 2 "$GEMMGATE" gate --device host --shapes 16x16x16,32x32x32 --candidates new --changed old -o SAME
says 'SAME exists; choose another name'
echo '/* compiled, it is the same */' >>new/32x32x32.c
expect 0 "$GEMMGATE" gate --device host --shapes 16x16x16,32x32x32 --candidates new --changed old -o COMMENT
unmeasured COMMENT
echo 'int another;' >>new/32x32x32.c
# The changed one serves another shape than those asked for.
expect 0 "$GEMMGATE" gate --device host --shapes 16x16x16 --candidates new --changed old -o OTHER
unmeasured OTHER
few_visits >few.ini
units() { "$GEMMGATE" gate --device host --seed 5 --warmup 0.01 --duration 0.05 --shapes 16x16x16,32x32x32 --baselines openblas-nn \
    --policy few.ini --candidates new --changed old -o "$1" >out 2>err || true; ls "$1/units" | tr '\n' ' '; }
[ "$(units ONE)" = '32x32x32.new ' ] || { cat out err >&2; fail 'not the changed one alone'; }
grep -q '"carried": 1,' ONE/gate/gate.json || fail 'what is carried over is not told'
# A kernel of every shape is carried over on each of them.
cp set/blocked.c old && cp set/blocked.c new
[ "$(units ANY)" = '32x32x32.new ' ] || { cat out err >&2; fail 'a kernel of every shape is measured though it is as it was'; }
grep -q '"carried": 3,' ANY/gate/gate.json || fail 'what is carried over is not told shape by shape'
rm old/blocked.c new/blocked.c
echo 'static int other __attribute__((used));' >>new/half.h
[ "$(units ALL)" = '16x16x16.new 32x32x32.new ' ] || { cat out err >&2; fail 'a header does not count'; }
# What lies outside the set counts by its content, too.
for side in old new; do
    mkdir -p sides/$side/beside
    cp -r old sides/$side/set
    printf '[set]\nname = new\ninclude = ../beside\n' >sides/$side/set/gemmgate.ini
    echo '#include <more.h>' >>sides/$side/set/half.h
    echo 'static int more __attribute__((used));' >sides/$side/beside/more.h
done
beside() { "$GEMMGATE" gate --device host --warmup 0.01 --duration 0.05 --shapes 16x16x16 --baselines openblas-nn \
    --policy few.ini --candidates sides/new/set --changed sides/old/set -o "$1" >out 2>err || true; }
beside BESIDE
told 'no kernel of the shapes asked for has changed since sides/old/set: nothing was measured'
echo 'static int most __attribute__((used));' >>sides/new/beside/more.h
beside OUTSIDE
[ "$(ls OUTSIDE/units)" = 16x16x16.new ] || { cat out err >&2; fail 'a folder outside the set does not count'; }

# Whoever breaks a kernel reads the first error, as the compiler has put it.
mkdir bad
{ echo 'int lacks_a_semicolon'; cat set/blocked.c; for i in {1..60}; do echo "no_type_$i x$i;"; done; } >bad/blocked.c
cp set/half.h bad
expect 6 "$GEMMGATE" gate "${fast[@]}" --candidates bad --against set -o BAD
told 'wrong (exit status 6): 1 of 1 kernels on shapes refused; the first: 16x16x16 blocked: does not compile: '
told ' ./blocked.c:'
grep -q '^::error title=gemmgate wrong::1 of 1 kernels on shapes .* (exit status 6)$' BAD/gate/annotations.txt &&
    grep -q '^::error file=.*bad/blocked.c,line=[1-9][0-9]*,title=wrong 16x16x16.blocked::.*does not compile: [^%]*error[^%]*%0A' BAD/gate/annotations.txt ||
    { cat BAD/gate/annotations.txt >&2; fail 'the error has not its lines'; }
grep -q 'does not compile: [^&]*error[^&]*&#10;' BAD/gate/junit.xml || fail 'JUnit lacks the lines'
# The base is broken: the one that mends it passes where the other rules may decide alone, and nobody who has named the
# earlier kernels is asked for them.
expect 2 "$GEMMGATE" gate "${fast[@]}" --candidates set --against bad -o MENDED
told 'there is nothing to compare with: every earlier kernel was refused; the first: 16x16x16 blocked'
! grep -q 'name the earlier' <(tr '\n' ' ' <out) || { cat out >&2; fail 'who has named the earlier kernels is asked for them'; }
expect 0 "$GEMMGATE" gate MENDED --absolute
expect 0 "$GEMMGATE" gate "${fast[@]}" --candidates set --against nowhere --absolute -o FIRST
says 'warning: --against nowhere: No such file or directory; the checks alone decide (--absolute)'
told 'pass (exit status 0): 1 added of 1 row; no kernel is refused, and no earlier kernel is compared with'
expect 0 timeout 20 "$SOURCE/ci/demo" --help
grep -q ci/demo out || { cat out >&2; fail 'ci/demo --help does not say how it is called'; }
expect 2 timeout 20 "$SOURCE/ci/demo" --fast
echo ok
