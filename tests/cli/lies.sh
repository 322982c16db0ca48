#!/usr/bin/env bash
# A runner that a kernel has taken over: an answer that makes no sense costs the kernel its row, and
# the run goes on.
. "$(dirname "$0")/lib.sh"
use_runner "${LYING_RUNNER:?a runner that lies}"
mkdir set
cp "$SOURCE"/candidates/examples/host/half.h set/
for name in honest endless-setup negative-setup no-size too-small endless-call timeless-call other-verb more-blocks; do
    sed "s/\"blocked\"/\"$name\"/" "$SOURCE/candidates/examples/host/blocked.c" >set/$name.c
    grep -q "\"$name\"" set/$name.c || fail 'the kernel has another name'
done
expect 0 bin/gemmgate run --device host --shapes 48x40x56 --baselines openblas-nn --visits 1 --warmup 0.02 \
    --duration 0.2 --candidates set -o RUN
accuse() { # KERNEL TEXT
    local row
    row=$(grep "^48,40,56,$1,$1," RUN/checks.csv) || fail "no row of $1"
    [[ $row = *",$1,dishonest,"*"$2"* ]] || fail "$1 is not dishonest with '$2': $row"
}
grep -q '^48,40,56,honest,honest,ok,' RUN/checks.csv || { cat RUN/checks.csv >&2; fail 'an honest kernel is accused'; }
accuse endless-setup 'its process claims that its setup took inf s'
accuse negative-setup 'its process claims that its setup took -1 s'
accuse no-size 'its process claims operands of 0x0x0'
accuse too-small 'its process claims operands of 48x40x55'
accuse endless-call 'its process claims that a call took inf s'
accuse timeless-call 'its process claims that a call took nan s'
accuse other-verb "it answered the judge in its process's stead"
accuse more-blocks 'it claims blocks that cannot be there'
! grep openblas-nn RUN/checks.csv | grep -v ',openblas-nn,ok,' || fail 'the library is accused'
expect 0 bin/gemmgate verify RUN
echo ok
