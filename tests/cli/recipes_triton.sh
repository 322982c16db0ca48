#!/usr/bin/env bash
# What candidates/recipes/export_triton.py makes of compiled kernels. They are played: objects like Triton's,
# with a cubin of Triton 3.6, k(a, b, c, m, n, k and Triton's own two pointers).
. "$(dirname "$0")/lib.sh"
cat >play.py <<'END'
import json, sys
from types import SimpleNamespace
sys.path.insert(0, sys.argv[1] + "/candidates/recipes")
sys.dont_write_bytecode = True
from export_triton import ExportError, export, recipe_of

def kernel(signature=None, constants=None, attrs=None, **metadata):
    said = dict(name="mm", shared=2048, num_warps=1, num_ctas=1, warp_size=32, global_scratch_size=0,
                profile_scratch_size=0, launch_cooperative_grid=False, launch_pdl=False, tensordesc_meta=[])
    signature = signature or {"a": "*fp16", "b": "*fp16", "c": "*fp16", "m": "i32", "n": "i32", "k": "i32",
                              "stride": "constexpr", "BM": "constexpr"}
    return SimpleNamespace(
        asm={"cubin": open(sys.argv[1] + "/tests/fuzz/corpus/cubin/triton", "rb").read()},
        metadata=SimpleNamespace(**(said | metadata)),
        src=SimpleNamespace(signature=signature, constants=constants or {(6,): 1, (7,): 16},
                            attrs=attrs or {(0,): [["tt.divisibility", 16]], (4,): [["tt.divisibility", 16]]}))

said = dict(grid="ceil_div(m, 16) * ceil_div(n, 16)", accumulate="f32",
            arguments={"a": "a", "b": "b_row", "c": "c", "m": "m", "n": "n", "k": "k", "stride": "n / n"})
export(kernel(), "set", "Mat_mul", can_do="k % 16 == 0", tile=[16, 16, 16], **said)

def same(found, wanted):
    assert found == wanted, f"{json.dumps(found)}\nis not\n{json.dumps(wanted)}"

pointers = [{"pointer": "a"}, {"pointer": "b_row"}, {"pointer": "c"}]
numbers = [{"i32": "m"}, {"i32": "n"}, {"i32": "k"}]
null = {"pointer": "null"}
same(json.load(open("set/Mat_mul.recipe.json")), {
    "recipe": 1, "cubin": "Mat_mul.cubin", "element": "f16", "accumulate": "f32", "tile": [16, 16, 16],
    "can_do": "(k % 16 == 0) && (n / n) == 1 && (n) % 16 == 0",
    "steps": [{"function": "mm", "grid": ["ceil_div(m, 16) * ceil_div(n, 16)"], "block": [32], "shared": 2048,
               "parameters": pointers + numbers + [null, null]}]})

# Clusters, attributes, much shared memory, and Triton's scratch memory.
made = recipe_of(kernel(shared=65536, num_warps=4, num_ctas=2, global_scratch_size=128, launch_pdl=True,
                        launch_cooperative_grid=True), **(said | {"grid": ["m", "n"]}))
same(made["memory"], {"global_scratch": {"bytes": "(m) * (n) * 256"}})
step = made["steps"][0]
same(step.pop("parameters"), pointers + numbers + [{"pointer": "global_scratch"}, null])
same(step, {"function": "mm", "grid": ["(m) * 2", "n"], "block": [128], "shared": 65536, "carveout": 100,
            "cluster": [2], "cluster_scheduling": "spread", "cooperative": True, "programmatic_serialization": True})

# Numbers of other kinds, a pointer into an operand, and a tensor descriptor.
meta = {"swizzle": 3, "elem_size": 2, "elem_type": 6, "block_size": [128, 64], "fp4_padded": False}
other = kernel({"x": "*fp16", "s": "*i8", "h": "fp16", "b": "bf16", "f": "fp32", "u": "u1", "t": "tensordesc<fp16[128,64]>"},
               attrs={(0,): [["tt.divisibility", 16]], (5,): [["tt.other", 1]]}, tensordesc_meta=[meta])
other.src.constants = {}
made = recipe_of(other, grid=1, accumulate="f16", memory={"mine": {"bytes": 4}},
                 arguments={"x": ("b_row", "2 * n"), "s": "mine", "h": 1.5, "b": 1.5, "f": 0.25, "u": 1,
                            "t": {"pointer": "a", "shape": ["m", "k"], "strides": ["k", 1], "padding": "nan"}})
same(made["can_do"], "(2 * n) % 16 == 0")
same(made["memory"], {"mine": {"bytes": 4}})
same(made["steps"][0]["parameters"],
     [{"pointer": "b_row", "offset": "2 * n"}, {"pointer": "mine"}, {"i16": 0x3e00}, {"i16": 0x3fc0}, {"f32": 0.25},
      {"i8": 1},
      {"tensor_map": {"pointer": "a", "type": "f16", "dims": ["k", "m"], "strides": ["2 * (k)"], "box": [64, 128],
                      "swizzle": "128B", "l2_promotion": "128B", "fill": "nan"}},
      {"i32": "m"}, {"i32": "k"}, {"i64": "k"}, {"i64": 1}, null, null])

# bfloat16, by pointers and by descriptors.
brain = {"a": "*bf16", "b": "*i16", "c": "*bf16", "m": "i32", "n": "i32", "k": "i32", "stride": "constexpr",
         "BM": "constexpr"}
export(kernel(brain), "brain", "mm", element="bf16", **said)
same(json.load(open("brain/mm.recipe.json"))["element"], "bf16")
bf16 = kernel({"t": "tensordesc<bf16[128,64]>"}, attrs={(0,): []}, tensordesc_meta=[meta | {"elem_type": 10}])
bf16.src.constants = {}
there = {"t": {"pointer": "a", "shape": ["m", "k"], "strides": ["k", 1]}}
made = recipe_of(bf16, element="bf16", **(said | {"arguments": there}))
same(made["steps"][0]["parameters"][0]["tensor_map"]["type"], "bf16")

def refused(words, kernel, **changed):
    try:
        recipe_of(kernel, **(said | changed))
    except ExportError as e:
        assert words in str(e), f"{e}\nis not\n{words}"
        return
    raise SystemExit(f"nobody says: {words}")

refused("arguments does not say what 'k' is", kernel(),
        arguments={name: value for name, value in said["arguments"].items() if name != "k"})
refused("'a' is a *fp32, and 'a' has elements of f16", kernel({"a": "*fp32"}))
refused("'a' is a *bf16, and 'a' has elements of f16; element says of which", kernel(brain))
refused("'a' is a *fp16, and 'a' has elements of bf16", kernel(), element="bf16")
refused("'t' is a tensordesc<bf16[128,64]>, and 'a' has elements of f16", bf16, arguments=there)
refused("element is 'fp16', and it may be f16 or bf16", kernel(), element="fp16")
refused("'k' is a fp32, and a number is wanted", kernel({"k": "fp32"}))
refused("'k' is a fp8, which is not known", kernel({"k": "fp8"}))
refused("'k' is a tuple", kernel({"k": ("i32", "i32")}))
refused("give a dictionary", kernel({"k": "tensordesc<fp16[1,1]>"}, tensordesc_meta=[meta]))
refused("of a sort that is not known", kernel({"t": "tensordesc<fp16[1,1]>"}),
        arguments={"t": {"pointer": "a", "shape": [1, 1], "strides": [1, 1]}})
END
if ! command -v python3 >/dev/null; then
    echo 'SKIP: no python3'
    exit 0
fi
expect 0 python3 play.py "$SOURCE"
# It fits the kernel of the cubin.
expect 0 "$GEMMGATE" list candidates set
grep -q '^Mat_mul  *Mat_mul.recipe.json  *any  *recipe ' out || { cat out >&2; fail 'an exported recipe is not listed'; }
expect 0 "$GEMMGATE" list candidates brain
sed -i 's/"i32"/"i64"/' set/Mat_mul.recipe.json
expect 2 "$GEMMGATE" list candidates set
says 'steps[0].parameters[3] has 8 bytes, and mm takes 4 there'
