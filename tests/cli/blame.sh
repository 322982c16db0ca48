#!/usr/bin/env bash
# Who is blamed: what a machine lacks is no fault of a kernel, and of a kernel that is refused it is said what it did.
# Covers: bench/base/outcome.h bench/command reports/rows reports/gate tests/cli/blame.sh
. "$(dirname "$0")/lib.sh"

fast=(--device host --shapes 16x16x16,32x32x32 --seed 5 --visits 2 --warmup 0.01 --duration 0.05 --baselines openblas-nn)
mkdir set
cp "$SOURCE"/candidates/examples/host/{blocked.c,half.h} set

# Without a compiler nothing is known of a kernel: status 5, by every command, and nobody is refused.
lacking() { CC=/nowhere/cc GEMMGATE_CACHE=$PWD/empty-cache "$@"; }
unbuilt='0 of 2 kernels on shapes passed; 2 not built, the first: 16x16x16 blocked was not built, since this machine lacks what that needs: '
expect 5 lacking "$GEMMGATE" check --device host --shapes 16x16x16,32x32x32 --candidates set -o CHECK
told "CHECK: $unbuilt"
expect 0 lacking "$GEMMGATE" check --device host --shapes 16x16x16,32x32x32 --candidates set --fail-on nothing -o LAX
told "LAX: $unbuilt"
expect 0 lacking "$GEMMGATE" run "${fast[@]}" --candidates set -o RUN
says "RUN: $unbuilt"
expect 5 lacking "$GEMMGATE" run "${fast[@]}" --candidates set --fail-on refused -o STRICT
says "STRICT: $unbuilt"
expect 5 lacking "$GEMMGATE" build --candidates set
told '0 of 1 compiled; 1 not built: why stands behind `not built` above'
grep -q '^blocked.*  not built  ' out || { cat out >&2; fail 'build blames a kernel for what the machine lacks'; }
says 'build: set: none of its 1 files made a kernel'
expect 5 lacking "$GEMMGATE" compare set set "${fast[@]}" -o COMPARED
says "COMPARED: of the new release $unbuilt"
grep -q '^environment,16,16,16,blocked,.*not compiled: ' COMPARED/compare/compare.csv || { cat COMPARED/compare/compare.csv >&2; fail 'what was not built has no row'; }
expect 5 lacking "$GEMMGATE" gate "${fast[@]}" --candidates set --against set -o GATE
told 'environment (exit status 5): this machine could not compile 2 of 2 kernels on shapes'
expect 0 "$GEMMGATE" report RUN
told '2 of 2 kernels on shapes were left not built'
for file in out RUN/report/report.md; do
    ! grep -qE 'were\*{0,2} refused|[1-9][0-9]* of [0-9]+ checks' $file || { cat $file >&2; fail 'a kernel that was not built is refused'; }
done
[ "$(wc -l <RUN/report/refused.csv)" = 1 ] || fail 'it has a row among the refused'

# Neither is a kernel to blame for a disk that is full.
mkdir full
if unshare -m mount -t tmpfs -o size=32k none full 2>/dev/null; then
    on_full() { unshare -m sh -c 'mount -t tmpfs -o size=32k none full && "$@"' sh "$@"; }
    expect 5 on_full "$GEMMGATE" gate "${fast[@]}" --candidates set --against set --cache-dir full/cache -o FULL
    told 'environment (exit status 5): this machine could not compile 2 of 2 kernels on shapes'
    told '(the disk of the cache is full; --cache-dir names another folder)'
fi

# A typo, a hang and a file that is no kernel: what happened, and never that somebody was dishonest.
mkdir bad
cp set/half.h bad
echo 'int lacks' >bad/typo.c
echo 'void gemm(void) {}' >bad/none.c
{ cat set/blocked.c; echo '__attribute__((constructor)) static void hang(void) { for (volatile int x = 1; x;) {} }'; } >bad/hang.c
expect 6 "$GEMMGATE" check --device host --shapes 16x16x16 --candidates bad --call-timeout 1 --setup-timeout 1 -o BAD
told 'BAD: 0 of 3 kernels on shapes passed; 3 refused, the first: 16x16x16 hang did not end in time: killed after '
expect 6 "$GEMMGATE" gate BAD --absolute
told 'wrong (exit status 6): 3 of 3 kernels on shapes refused; the first: 16x16x16 hang: did not end in time: killed after '
for said in 'none.*cannot be loaded: it exports no symbol gemmgate_kernel' 'typo.*does not compile: .*typo.c:1:'; do
    for file in summary.md annotations.txt gate.html junit.xml; do
        grep -q "$said" <(tr '\n' ' ' <BAD/gate/$file | sed 's/\\//g') || { cat BAD/gate/$file >&2; fail "$file does not say: $said"; }
    done
done
! grep -rqi dishonest BAD/gate || { grep -ri dishonest BAD/gate >&2; fail 'a typo is called dishonest'; }

# nvcc -rdc=true links a function of its own for each file. That accuses nobody.
mkdir rdc
cp set/half.h rdc
{ cat set/blocked.c; echo 'void __cudaRegisterLinkedBinary_1a2b_7_blocked_cu_3c4d(void) {}'; } >rdc/blocked.c
expect 0 "$GEMMGATE" check --device host --shapes 16x16x16 --candidates rdc -o RDC
echo ok
