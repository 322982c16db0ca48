#!/usr/bin/env bash
# Functions of torch tensors are kernels as they come, without PyTorch: constructs one by one, and five files as archives hold them.
# A host compiler makes them kernels of a GPU that is the host; nvcc compiles all of them, and a GPU runs them where there is one.
# Covers: candidates/set candidates/standin tests/cli/torch.sh tests/torch
. "$(dirname "$0")/lib.sh"
program=$GEMMGATE
. "$SOURCE/tests/support/staged.sh"
nvcc=$(command -v nvcc || true)
[ -n "$nvcc" ] || { [ ! -x /usr/local/cuda/bin/nvcc ] || nvcc=/usr/local/cuda/bin/nvcc; }
[ -n "$nvcc" ] || { echo 'skipped: no CUDA toolkit, whose headers are wanted'; exit 77; }
CUDA_INCLUDE=$(dirname "$(dirname "$(readlink -f "$nvcc")")")/include
export CUDA_INCLUDE CUDACXX=$SOURCE/tests/torch/host/nvcc
cp -r "$SOURCE/tests/torch/archives" .
mkdir constructs
cp "$SOURCE/tests/torch/constructs.cu" constructs
printf '[set]\naccumulate = f32\npattern = *.cu\ncall = forward(tensor(a, m, k), tensor(b_row, k, n))\n' >constructs/gemmgate.ini

outcomes() { awk -F, '$5 == $4 && $1 ~ /^[0-9]+$/ { print $5 "=" $6 }' "$1/checks.csv" | sort -u | paste -sd' '; }
is() { # RUN OUTCOMES
    [ "$(outcomes "$1")" = "$2" ] || { cat "$1/checks.csv" >&2; fail "$1: $(outcomes "$1")"; }
}

# Each construct does what it does in torch, or its function throws.
expect 0 "$GEMMGATE" "${run[@]}" --duration 0.05 --shapes 32x48x64 --visits 1 --candidates constructs -o CONSTRUCTS
is CONSTRUCTS constructs=ok

check() { # SET RUN [OPTIONS...]
    expect 0 "$GEMMGATE" check --fail-on nothing --device cuda --no-sandbox --baselines cublas-nn --shapes 32x48x64 --candidates "$1" -o "$2" "${@:3}"
}
# The files of archives. A returned tensor is C; one that cannot be is copied, and the row says so. One file is for a GPU alone.
check archives ARCHIVES
is ARCHIVES 'accessor=ok custom-op=ok kernelbench=ok leetcuda=no-compile split-k=ok'
copies='each call copies the tensor that the function returns into C'
[ "$(grep -c "$copies" ARCHIVES/checks.csv)" = 1 ] || { cat ARCHIVES/checks.csv >&2; fail 'another row than one says that C is a copy'; }
grep -q "^32,48,64,split-k,split-k,ok,.*; $copies" ARCHIVES/checks.csv || fail 'the row of split-k does not say that C is a copy'
[ "$(field ARCHIVES/recordings.csv accessor result)" = same ] || { cat ARCHIVES/recordings.csv >&2; fail 'it is not recorded'; }
# Where all sizes are one, what accessor keeps has C's size, and split-k's sums, too: the same is C.
expect 0 "$GEMMGATE" check --fail-on nothing --device cuda --no-sandbox --baselines cublas-nn --shapes 48x48x64,48x48x48 --candidates archives -o EQUAL
[ "$(awk -F, '$5 == "accessor" && $6 == "ok"' EQUAL/checks.csv | grep -vc "$copies")" = 2 ] || { cat EQUAL/checks.csv >&2; fail 'accessor is not C in all shapes'; }
[ "$(awk -F, '$5 == "split-k" && $6 == "ok"' EQUAL/checks.csv | grep -c "$copies")" = 2 ] || { cat EQUAL/checks.csv >&2; fail 'split-k is not right in all shapes'; }
[ "$(awk -F, 'NR > 1 && $7 == "same"' EQUAL/recordings.csv | wc -l)" = 8 ] || { cat EQUAL/recordings.csv >&2; fail 'it is not recorded where what it keeps has the size of C'; }
# Of bfloat16, too, where a file does not ask for half by name.
printf '[set]\nelement = bf16\naccumulate = f32\n' >archives/bf16.ini
sed '/^\[set\]/d; /^accumulate/d' archives/gemmgate.ini | awk '/^\[kernel/ { keep = /accessor|custom/ } keep' >>archives/bf16.ini
mv archives/bf16.ini archives/gemmgate.ini
check archives BF16 --element bf16
is BF16 'accessor=ok custom-op=ok'

# made NAME BODY: a kernel of the set `made`, a function of A and B that has the product in C, unless the body says otherwise.
mkdir made
printf '[set]\naccumulate = f32\npattern = *.cu\ncall = forward(tensor(a, m, k), tensor(b_row, k, n))\n' >made/gemmgate.ini
made() {
    { sed -n '/^__global__ void product/,/^}/p' "$SOURCE/tests/torch/constructs.cu" | sed '1i #include <torch/extension.h>'
      echo 'void fill(torch::Tensor A, torch::Tensor B, torch::Tensor C) {'
      echo '    dim3 block(16, 16), grid((B.size(1) + 15) / 16, (A.size(0) + 15) / 16);'
      echo '    product<<<grid, block>>>((half *)A.data_ptr(), (half *)B.data_ptr(), (half *)C.data_ptr(), A.size(0), B.size(1), A.size(1));'
      echo '}'
      printf 'torch::Tensor forward(torch::Tensor A, torch::Tensor B) {\n%s\n}\n' "$2"; } >"made/$1.cu"
}
row() { # RUN KERNEL OUTCOME WORDS
    grep -qE "^32,48,64,[^,]*,$2,$3,.*$4" "$1/checks.csv" || { cat "$1/checks.csv" >&2; fail "$2 is not $3: $4"; }
}
C='auto C = torch::empty({A.size(0), B.size(1)}, A.options()); fill(A, B, C);'
# Memory of tensors is a block of the workspace's size, there before the first call, and taken again in each.
made scratch "for (int i = 0; i < 3; i++) { auto S = torch::zeros({1 << 18}, torch::kFloat); S = S.clone(); } $C return C;"
CUDA_HOST_LOG=$scratch/allocations check made MADE
row MADE scratch ok ''
sort -u allocations | cmp - <(echo 33554432) || fail 'memory of other sizes is allocated'
check made LITTLE --workspace 1.5
row LITTLE scratch launch-failed 'it threw: it makes a tensor of 1048576 bytes, and 1048576 of its workspace of 1572864 bytes are taken; --workspace gives more'
# A file whose functions ask for none allocates none.
mkdir none
sed '/^torch::Tensor forward/,$d' made/scratch.cu >none/none.cu
sed 's/forward(\(.*\))$/fill(\1, tensor(c, m, n))/' made/gemmgate.ini >none/gemmgate.ini
rm allocations
CUDA_HOST_LOG=$scratch/allocations check none NONE
row NONE none ok ''
[ ! -e allocations ] || fail 'a file without tensors of its own allocates memory'
# What is not C becomes it: another order, another type, the second of two, one that is kept. The first is free again once its tensor is gone.
made order "auto T = torch::empty({B.size(1), A.size(0)}, A.options()); $C T.copy_(C.t()); return T.t();"
made second "auto S = torch::empty({A.size(0), B.size(1)}, A.options()); $C return C;"
made gone "{ auto S = torch::empty({A.size(0), B.size(1)}, A.options()); } $C return C.view({1, C.size(0), -1});"
made size "return torch::zeros({A.size(0), A.size(0)}, A.options());"
made kept "static torch::Tensor C = torch::empty({A.size(0), B.size(1)}, A.options()); fill(A, B, C); return C;"
made late "static torch::Tensor kept; static int calls; $C if (++calls == 6) kept = C; return C;"
made workspace "static torch::Tensor kept; if (!kept.defined()) kept = torch::full({A.size(0), B.size(1)}, 7, A.options());
    $C for (int64_t i = 0; i < kept.numel(); i++) TORCH_CHECK(float(kept.data_ptr<at::Half>()[i]) == 7); return C;"
made anew "static torch::Tensor kept; kept = torch::empty({A.size(0), B.size(1)}, A.options()); $C return C;"
# An address that was taken in the first call is C's still: who writes there later writes into C.
made address "static torch::Tensor kept; static uint16_t *at; if (!at) { kept = torch::empty({A.size(0), B.size(1)}, A.options()); at = (uint16_t *)kept.data_ptr(); }
    $C at[5] = 0x7bff; return C;"
made thrown 'TORCH_CHECK(A.size(0) == 33, "rows: ", A.size(0)); return A;'
# A library under a kernel's name is refused by its name.
libraries=()
while IFS='|' read -r body library; do
    made "refused${#libraries[@]}" "$body"
    libraries+=("$library")
done <<'END'
return torch::matmul(A, B);|torch::matmul
return at::mm(A, B);|torch::mm
return A.mm(B);|Tensor::mm
return torch::einsum("mk,kn->mn", {A, B});|torch::einsum
return torch::nn::functional::linear(A, B.t());|torch::nn::functional::linear
auto handle = at::cuda::getCurrentCUDABlasHandle(); return A;|at::cuda::getCurrentCUDABlasHandle
at::cuda::blas::gemm<at::Half>('n', 'n', 1, 1, 1, 1.f, A.data_ptr<at::Half>(), 1); return A;|at::cuda::blas::gemm
END
rm made/scratch.cu
check made MANY
row MANY order ok "$copies"
# What a function keeps has memory of its own behind its first call. What it keeps and returns is copied in each.
for kernel in gone workspace late; do
    row MANY "$kernel" ok ''
    ! grep -q ",$kernel,.*$copies" MANY/checks.csv || fail "$kernel: C is copied where its tensor can be C"
done
row MANY address deviates 'C.0..5. = 65504'
for kernel in second kept anew; do
    row MANY "$kernel" ok "$copies"
done
row MANY size launch-failed 'it threw: it returns a tensor of 1024 elements with 32 in its last dimension, and C has 32 rows of 48'
# Of a square C a tensor in the other order is the first of C's size.
cp -r made square
find square -name '*.cu' ! -name order.cu ! -name kept.cu -delete
expect 0 "$GEMMGATE" check --fail-on nothing --device cuda --no-sandbox --baselines cublas-nn --shapes 48x48x64 --candidates square -o SQUARE
is SQUARE 'kept=ok order=ok'
[ "$(grep -c "$copies" SQUARE/checks.csv)" = 2 ] || { cat SQUARE/checks.csv >&2; fail 'a row does not say that C is a copy'; }
row MANY thrown launch-failed 'it threw: TORCH_CHECK\(A.size\(0\) == 33\) failed: rows: 32'
for i in "${!libraries[@]}"; do
    row MANY "refused$i" no-compile "${libraries[i]} calls a library under a kernel's name"
done

# Without a call a file of torch functions is recognised. A call is made of its signature, to be pasted: it is the one above.
mkdir bare
cp "$SOURCE/tests/torch/archives/"*.cu bare
expect 0 "$GEMMGATE" list candidates bare
told '; Save all below as gemmgate.ini in that folder.'
sed -n '/^; Save all below/,$p' out >bare/gemmgate.ini
grep -h '^call' bare/gemmgate.ini | sort | diff - <(grep -h '^call' "$SOURCE/tests/torch/archives/gemmgate.ini" | sed 's/, 4)$/, ?)/' | sort) ||
    fail 'other calls are proposed'
expect 0 "$GEMMGATE" list candidates bare
! grep -q '^call' out || fail 'a set that has calls is given others'
told 'custom_op.cu'
rm bare/gemmgate.ini
expect 2 "$GEMMGATE" build --candidates bare --arch 80
told 'it is a file of torch functions: gemmgate.ini is to say how one is called, like call = module_fn(tensor(a, m, k), tensor(b_row, k, n)); `gemmgate list candidates FOLDER` prints such a file'
printf '[set]\naccumulate = f32\n[kernel x]\nfile = custom_op.cu\n' >bare/gemmgate.ini
expect 2 "$GEMMGATE" list candidates bare
says 'gemmgate.ini:3: [kernel x] has no call; say how the function is called, like call = matmul_out(tensor(c, m, n), tensor(a, m, k), tensor(b_row, k, n), {})'

# The same by nvcc, for two architectures, and what it makes by a GPU.
export CUDACXX=$nvcc
cp -r "$SOURCE/tests/torch/archives" real
cp constructs/constructs.cu real
sed 's/^pattern.*//; s/^accumulate.*/[kernel constructs]\nfile = constructs.cu/; /^\[set\]/d' constructs/gemmgate.ini >>real/gemmgate.ini
sed -i 's/^\[set\]/&\nflags = -gencode arch=compute_80,code=sm_80/' real/gemmgate.ini
expect 0 "$program" build --candidates real --arch 90a
told '6 of 6 compiled'
if "$program" devices | grep '^cuda:0 ' >/dev/null; then
    expect 0 "$program" run --device cuda:0 --shapes 512x384x512,512x512x512 --lens call,device --visits 2 --duration 0.4 --warmup 0.1 \
        --candidates real -o REAL
    is REAL 'accessor=ok constructs=ok custom-op=ok kernelbench=ok leetcuda=deviates split-k=ok'
    [ "$(awk -F, 'NR > 1 && $7 != "same" && $7 != "right"' REAL/recordings.csv | grep -vc leetcuda)" = 0 ] ||
        { cat REAL/recordings.csv >&2; fail 'one of them is not recorded'; }
fi
echo ok
