#!/usr/bin/env python3
"""Makes recipes of the matmul kernel of Triton's tutorial, with the blocks of its own autotuner:
    ci/field/export_tutorial.py triton/python/tutorials/03-matrix-multiplication.py FOLDER
It takes the two functions of the kernel out of the tutorial, as they are, and compiles them for sm_90. It needs Triton
3.6 and no GPU."""
import ast
import importlib.util
import pathlib
import sys
import tempfile

import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "candidates" / "recipes"))
from export_triton import export

# Three of the tutorial's list, for large and small products: BLOCK_SIZE_M, _N, _K, num_stages, num_warps.
CONFIGS = [(128, 256, 64, 3, 8), (128, 128, 32, 4, 4), (64, 128, 64, 4, 4)]
SIGNATURE = {"a_ptr": "*fp16", "b_ptr": "*fp16", "c_ptr": "*fp16", "M": "i32", "N": "i32", "K": "i32",
             "stride_am": "i32", "stride_ak": "constexpr", "stride_bk": "i32", "stride_bn": "constexpr",
             "stride_cm": "i32", "stride_cn": "constexpr"}
ARGUMENTS = {"a_ptr": "a", "b_ptr": "b_row", "c_ptr": "c", "M": "m", "N": "n", "K": "k", "stride_am": "k",
             "stride_bk": "n", "stride_cm": "n"}
META = ["BLOCK_SIZE_M", "BLOCK_SIZE_N", "BLOCK_SIZE_K", "GROUP_SIZE_M", "ACTIVATION"]


def kernel_of(tutorial):
    """The tutorial's functions by themselves: it measures when it is imported."""
    text = tutorial.read_text()
    functions = [ast.get_source_segment(text, node) for node in ast.parse(text).body
                 if isinstance(node, ast.FunctionDef) and node.name in ("matmul_kernel", "leaky_relu")]
    module = pathlib.Path(tempfile.mkdtemp()) / "tutorial.py"
    module.write_text("\n\n".join(["import triton", "import triton.language as tl",
                                   *("@triton.jit\n" + function for function in functions)]) + "\n")
    spec = importlib.util.spec_from_file_location("tutorial", module)
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded.matmul_kernel


if len(sys.argv) != 3 or sys.argv[1].startswith("-"):
    sys.exit(__doc__)
kernel = kernel_of(pathlib.Path(sys.argv[1]))
signature = SIGNATURE | dict.fromkeys(META, "constexpr")
names = list(signature)
for m, n, k, stages, warps in CONFIGS:
    constants = {"stride_ak": 1, "stride_bn": 1, "stride_cn": 1, **dict(zip(META, (m, n, k, 8, "")))}
    # As its launcher does for addresses and sizes that are multiples of 16.
    attributes = {(names.index(name),): [["tt.divisibility", 16]] for name in ARGUMENTS}
    compiled = triton.compile(ASTSource(kernel, signature, constants, attributes), target=GPUTarget("cuda", 90, 32),
                              options={"num_stages": stages, "num_warps": warps})
    export(compiled, sys.argv[2], f"triton-{m}x{n}x{k}", grid=f"ceil_div(m, {m}) * ceil_div(n, {n})", accumulate="f32",
           arguments=ARGUMENTS)
