#!/usr/bin/env bash
# Sets of any CUDA-L2 release are recognised by their layout and their functions, whatever GPU their names tell.
. "$(dirname "$0")/lib.sh"

put() { # FOLDER FUNCTION
    mkdir -p "release/kernels/$1"
    echo "void $2(torch::Tensor a, torch::Tensor b, torch::Tensor b_col_major, torch::Tensor c) {}" >"release/kernels/$1/64_64_64.cu"
}
put a100_F16F16F16F16 cuda_l2_a100_fp16
put b200_F32BF16BF16F32 cuda_l2_b200_bf16
put 4090_F32F16F16F32 cuda_l2_4090_fp32
put mine cuda_l2_next
cp -r release/kernels/a100_F16F16F16F16 copy
mkdir release/kernels/common
echo 'int helper(void);' >release/kernels/common/helper.cu

# The release has sets. To list them nothing is needed; what is none of them is said.
expect 0 "$GEMMGATE" list candidates cuda-l2:release
says 'release/kernels/common: none of its files defines a function cuda_l2_..., as those of a set of the CUDA-L2 release do'
while read -r row; do
    grep -qx "cuda-l2:release/kernels/$row" <(tr -s ' ' <out) || { cat out >&2; fail "not listed: $row"; }
done <<'END'
4090_F32F16F16F32 1 f16 f32 89
a100_F16F16F16F16 1 f16 f16 80
b200_F32BF16BF16F32 1 bf16 f32 100a
mine 1 f16 as --accumulate says as --arch says
END
expect 0 "$GEMMGATE" list candidates cuda-l2:copy
told '64_64_64.cu 64x64x64'
expect 0 "$GEMMGATE" list candidates copy
says '64_64_64.cu: it is of the CUDA-L2 release: name its set cuda-l2:FOLDER'
! grep -q '^call' out || fail 'a kernel of the release is taken for a torch function'
expect 2 "$GEMMGATE" list candidates release
says 'name the folder that holds the kernels, or of a CUDA-L2 release cuda-l2:FOLDER'
expect 2 "$GEMMGATE" run --candidates cuda-l2:release --suite smoke -o RUN
says 'release: it holds sets; name one: cuda-l2:release/kernels/4090_F32F16F16F32, cuda-l2:release/kernels/a100_F16F16F16F16'

# To be compiled they need CUTLASS; the architecture is the name's, or else the option's, and so is the accumulator.
expect 2 "$GEMMGATE" build --candidates cuda-l2:copy
says 'copy: these kernels include CUTLASS'
mkdir -p cutlass/include/cutlass tools
touch cutlass/include/cutlass/cutlass.h
printf '#!/bin/sh\necho "$*" >>"%s/compiled"\nexit 1\n' "$scratch" >tools/nvcc
chmod +x tools/nvcc
export CUDACXX=$scratch/tools/nvcc
build() { # SET OPTIONS...
    rm -f compiled
    expect 2 "$GEMMGATE" build --no-sandbox --cutlass cutlass --candidates "cuda-l2:$1" "${@:2}"
}
compiled() { grep -q "code=sm_$1 " compiled || { cat compiled >&2; fail "it is not compiled for $1"; }; }
build copy
compiled 80
build release/kernels/b200_F32BF16BF16F32 --element bf16
compiled 100a
build release/kernels/4090_F32F16F16F32 --arch 120a
compiled 120a
grep -qF -- "-I$scratch/cutlass/include " compiled || { cat compiled >&2; fail 'CUTLASS is not found from the folder of the set'; }
build release/kernels/mine
says '64_64_64.cu is a CUDA source: name the architecture with --arch'
build release/kernels/mine --arch 89
compiled 89
build release/kernels/b200_F32BF16BF16F32
says 'its kernels serve bf16, and --element is f16'
echo ok
