#!/usr/bin/env bash
# A cubin and a recipe are a kernel: checked and timed like any other, with no host code of its author. The
# GPU is the host, which knows the one kernel of a cubin of the fuzz corpus.
. "$(dirname "$0")/lib.sh"
use_runner "${FAKE_GPU_RUNNER:?a runner whose GPU is the host}"
mkdir set
cp "$SOURCE/tests/fuzz/corpus/cubin/sm90" set/k.cubin

# recipe NAME MARK: the memory begins with 5, and the kernel works where it is told so.
recipe() {
    cat >"set/$1.recipe.json" <<END
{
  "recipe": 1,
  "cubin": "${3-k.cubin}",
  "accumulate": "f32",
  "can_do": "m % 8 == 0",
  "memory": {"mark": {"bytes": "m", "fill": 9}},
  "steps": [
    {"fill": "mark", "value": 5},
    {"function": "_Z1k1MiPfc", "grid": ["ceil_div(n, 64)"], "block": [128], "parameters": [
      {"struct": 128, "fields": [
        {"at": 0, "pointer": "a"}, {"at": 8, "pointer": "b_row"}, {"at": 16, "pointer": "c"},
        {"at": 24, "i64": "m"}, {"at": 32, "i64": "n"}, {"at": 40, "i64": "k"}]},
      {"i32": 0}, {"pointer": "mark"}, {"i8": "$2"}]}
  ]
}
END
}
recipe right 5
recipe Wrong_mark 9
recipe 64x64x128 5
cp set/k.cubin set/broken.cubin
printf B | dd of=set/broken.cubin bs=1 seek=10 conv=notrunc status=none
recipe unloaded 5 broken.cubin

# What the set is, without a GPU.
expect 0 "$GEMMGATE" list candidates set
grep -q '^right  *right.recipe.json  *any  *recipe ' out || { cat out >&2; fail 'a recipe is not listed'; }
expect 0 "$GEMMGATE" build --candidates set
set -- --device cuda --candidates set --no-audit --visits 1 --warmup 0.05 --duration 0.1
expect 0 "$GEMMGATE" run --shapes 64x64x64,64x64x128,65x64x64 "$@" -o RUN

became() { # SHAPE KERNEL: its outcome
    grep "^${1//x/,},$2,$2," RUN/checks.csv | cut -d, -f6
}
[ "$(became 64x64x64 right)" = ok ] || { cat RUN/checks.csv >&2; fail 'a right recipe is refused'; }
[ "$(became 64x64x128 set)" = ok ] || { cat RUN/checks.csv >&2; fail 'the recipe of a shape does not serve it'; }
[ "$(became 65x64x64 right)" = unsupported ] || { cat RUN/checks.csv >&2; fail 'can_do is not heeded'; }
[ "$(became 64x64x64 Wrong_mark)" = nan ] || { cat RUN/checks.csv >&2; fail 'a recipe whose kernel writes nothing passes'; }
# One kernel's fault costs its own rows.
[ "$(became 64x64x64 unloaded)" = no-load ] || { cat RUN/checks.csv >&2; fail 'a cubin that cannot be loaded is'; }
tail -n +2 RUN/times.csv | grep ',right,' >/dev/null || { cat RUN/times.csv >&2; fail 'a recipe has no times'; }
expect 0 "$GEMMGATE" verify RUN

# Too little room for its memory.
expect 6 "$GEMMGATE" check --device cuda --shapes 64x64x64 --candidates set --no-audit --workspace 0 -o SMALL
grep -q 'setup-failed.*it wants a workspace of 64 bytes, and 0 are given' SMALL/checks.csv ||
    { cat SMALL/checks.csv >&2; fail 'a workspace has no limit'; }

# What a file shows costs the whole set, with file and place.
for fault in 's/"accumulate": "f32",/"accumulate": "f32"/|right.recipe.json:5: ' \
    's/ceil_div(n, 64)/ceil_div(N, 64)/|right.recipe.json: steps[1].grid[0] names '"'N'" \
    's/"i32": 0/"i64": 0/|right.recipe.json: steps[1].parameters[1] has 8 bytes, and _Z1k1MiPfc takes 4 there' \
    's/, {"i8": "5"}//|right.recipe.json: steps[1].parameters are 3, and _Z1k1MiPfc takes 4' \
    's/_Z1k1MiPfc/k/|right.recipe.json: steps[1].function is '"'k', which the cubin has not"; do
    sed -i.kept "${fault%%|*}" set/right.recipe.json
    expect 2 "$GEMMGATE" run --shapes 64x64x64 "$@" -o REFUSED
    says "${fault#*|}"
    mv set/right.recipe.json.kept set/right.recipe.json
done
cp "$SOURCE/tests/fuzz/corpus/cubin/sm80" set/k.cubin
expect 2 "$GEMMGATE" run --shapes 64x64x64 "$@" -o REFUSED
says 'cubin is code for sm_80, which Fake GPU, sm_90, does not run'
expect 2 "$GEMMGATE" check --device host --shapes 64x64x64 --candidates set -o REFUSED
says 'is a recipe, which runs on a GPU only'

# The examples name functions that their cubins have. Compilers that are not there are passed over.
nvcc=$(command -v nvcc || true)
[ -n "$nvcc" ] || { [ ! -x /usr/local/cuda/bin/nvcc ] || nvcc=/usr/local/cuda/bin/nvcc; }
if [ -n "$nvcc" ]; then
    cp -r "$SOURCE/candidates/recipes/examples" examples
    for recipe in examples/*.recipe.json; do
        example=$(basename "$recipe" .recipe.json)
        "$nvcc" -cubin -O1 -std=c++17 -arch=sm_80 -I "$SOURCE/candidates" \
            "$SOURCE/candidates/examples/cuda/$example.cu" -o "examples/$example.cubin"
    done
    expect 0 "$GEMMGATE" list candidates examples
    [ "$(grep -c '\.recipe\.json .* recipe ' out)" = "$(ls examples/*.recipe.json | wc -l)" ] ||
        { cat out >&2; fail 'an example recipe is not listed'; }
fi
