#!/usr/bin/env bash
# ci/peers with a PyTorch, a Triton and an Nsight Compute that are stand-ins, and libraries of the host.
. "$(dirname "$0")/lib.sh"
if ! command -v python3 >/dev/null; then
    echo 'SKIP: no python3'
    exit 0
fi
mkdir -p modules/{torch,triton} fake
cat >modules/torch/__init__.py <<'END'
class Tensor:
    layout = "nn"
    def t(self): return self
    def contiguous(self):
        made = Tensor()
        made.layout = "tn"
        return made
float16 = "half"
def randn(rows, columns, device, dtype): return Tensor()
def matmul(a, b): return 3.0 if b.layout == "nn" else 2.0
END
echo >modules/triton/__init__.py
echo 'def do_bench(call): return call()' >modules/triton/testing.py
# Says of two shapes, two layouts and seven calls each what ncu would: a call has two kernels, 3 us in all, and one is odd.
cat >fake/ncu <<'END'
#!/usr/bin/env bash
while [ "$1" != --log-file ]; do shift; done
echo "$*" >>"$CALLS"
{
    echo '==PROF== Connected'
    printf '"ID","Kernel Name","gpu__time_duration.sum"\n"","","ns"\n'
    for ((i = 0; i < ${KERNELS:-28}; i++)); do
        printf '"0","at::spin_kernel(long)","9"\n"0","gemm","%s"\n"0","reduce","1000"\n' $((i % 7 ? 2000 : 9000))
    done
} >"$2"
END
chmod +x fake/ncu
export PATH=$PWD/fake:$PATH PYTHONPATH=$PWD/modules CALLS=$PWD/calls PYTHONDONTWRITEBYTECODE=1
peers() { # STATUS FOLDER
    expect "$1" "$SOURCE/ci/peers" --device host --baselines openblas-nn,openblas-tn --shapes 16x16x16,48x16x64 \
        --processes 3 --visits 2 -o "$2"
}
peers 0 made
[ "$(grep -cE '^ +(16x16x16|48x16x64) +1\.5000 +0\.00 % +[0-9.]+ +[0-9.]+ % +[0-9.]+ +-?[0-9.]+' out)" = 2 ] ||
    { cat out >&2; fail 'the table is another'; }
# What ncu said less our time, and our time, are 3 us together.
awk '$1 == "16x16x16" && ($8 + $9 < 2.98 || $8 + $9 > 3.02) { exit 1 }' out || { cat out >&2; fail "ncu's time is another"; }
told 'do_bench: the ratio spreads by 0.00 % between processes'
[ "$(wc -l <calls)" = 1 ] || fail 'ncu was called more than once'

# What is there is not measured again; what lacks is said, and the rest is printed.
peers 0 made
[ "$(wc -l <calls)" = 1 ] || fail 'ncu was called again'
rm made/ncu.csv
KERNELS=27 peers 1 made
says 'it has not the kernels of each call'
grep -qE '16x16x16 +1\.5000 .* - +- %$' out || { cat out >&2; fail 'the table says what ncu did not'; }
rm made/{ncu.csv,bench-2.json} modules/triton/testing.py
peers 1 made
says 'do_bench: status 1; its part of the table lacks'
rm -r made/run/units/16x16x16
peers 1 made
says '16x16x16: gemmgate has no times of it'
grep -qE '48x16x64 +1\.5000 ' out || { cat out >&2; fail 'the other shape lacks, too'; }
expect 2 "$SOURCE/ci/peers" --device cuda:9 --shapes 16x16x16 -o none
echo ok
