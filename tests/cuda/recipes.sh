#!/usr/bin/env bash
# On a GPU: the examples as recipes. A recipe gives the bits of its example, passes all checks, is replayed with
# the same bits, and is timed beside its example; the ratios are printed and not judged. Where Triton is, a
# product that it compiles is exported, checked, and timed beside PyTorch's. Skipped where there is no GPU.
#     recipes.sh GEMMGATE RECIPE_BITS SOURCE
set -euo pipefail
gemmgate=$1 bits=$2 source=$3
got=0
sm=$("$bits") || got=$?
[ $got = 0 ] || exit $got
command -v nvcc >/dev/null || { echo 'no nvcc' >&2; exit 77; }
[ "$sm" = 90 ] && arch=90a || arch=$sm
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
export GEMMGATE_CACHE=$scratch/cache

# column FILE NAME: that column of rows whose columns before it have no commas.
column() {
    awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next } { print $c }' "$1"
}
# passed RUN KERNEL...: each is ok on some shape, and no kernel is anything but ok or unsupported.
passed() {
    local run=$1 kernel
    ! column "$run/checks.csv" outcome | grep -vE '^(ok|unsupported)$' ||
        { cat "$run/checks.csv" >&2; exit 1; }
    for kernel in "${@:2}"; do
        grep -q ",$kernel,$kernel,ok," "$run/checks.csv" ||
            { cat "$run/checks.csv" >&2; echo "$kernel is not ok" >&2; exit 1; }
    done
}

mkdir recipes theirs
cp "$source"/candidates/recipes/examples/*.recipe.json recipes
for example in wmma splitk; do
    cp "$source/candidates/examples/cuda/$example.cu" theirs
    flags=(-O3 -std=c++17 -gencode "arch=compute_$arch,code=sm_$arch" -I "$source/candidates")
    nvcc -cubin "${flags[@]}" "$source/candidates/examples/cuda/$example.cu" -o recipes/$example.cubin
    nvcc --shared -Xcompiler -fPIC -cudart shared "${flags[@]}" "$source/candidates/examples/cuda/$example.cu" \
        -o $example.so
done
cp "$source/candidates/examples/cuda/pipeline.cuh" "$source/candidates/examples/cuda/ptx.cuh" theirs

"$bits" ./wmma.so recipes/wmma.recipe.json 512x256x1024
"$bits" ./wmma.so recipes/wmma.recipe.json 64x64x32
"$bits" ./splitk.so recipes/splitk.recipe.json 256x256x8192
"$bits" ./splitk.so recipes/splitk.recipe.json 100x130x4104

"$gemmgate" run --device cuda:0 --shapes 512x512x512,2048x2048x2048,256x256x8192 --candidates recipes \
    --against theirs --duration 0.5 -o run
passed run wmma splitk
! column run/replays.csv result | grep -vE '^same$' || { cat run/replays.csv >&2; exit 1; }
echo 'recipes beside their examples (previous): time of the example over that of the recipe'
head -1 run/ratios.csv
grep ',previous,' run/ratios.csv || { cat run/ratios.csv >&2; exit 1; }

# One cubin is not another GPU's.
other=80
[ "$sm" -lt 90 ] && other=90
nvcc -cubin -std=c++17 -arch=sm_$other -I "$source/candidates" "$source/candidates/examples/cuda/wmma.cu" \
    -o recipes/wmma.cubin
got=0
"$gemmgate" check --device cuda:0 --shapes 64x64x64 --candidates recipes -o other 2>err || got=$?
if [ $got != 2 ] || ! grep -q "cubin is code for sm_$other" err; then
    cat err >&2
    echo "status $got instead of 2" >&2
    exit 1
fi

if ! python3 -c 'import torch, triton' 2>/dev/null; then
    echo 'no Triton: its part is left out'
    exit 0
fi
PYTHONDONTWRITEBYTECODE=1 python3 "$source/tests/cuda/recipes_triton.py" "$source" triton-set
"$gemmgate" run --device cuda:0 --shapes 512x512x512,2048x2048x2048,1000x1024x1024 --candidates triton-set \
    --baselines torch-matmul,cublas-nn --duration 0.5 -o triton
passed triton triton-pointers
[ "$sm" -lt 90 ] || passed triton triton-descriptors
! column triton/replays.csv result | grep -vE '^same$' || { cat triton/replays.csv >&2; exit 1; }
"$gemmgate" check --device cuda:0 --element bf16 --shapes 512x512x512,1000x1024x1024 --candidates triton-set-bf16 -o bf16
passed bf16 triton-bf16
echo 'Triton beside the call that PyTorch makes'
grep ',triton-' triton/ratios.csv
