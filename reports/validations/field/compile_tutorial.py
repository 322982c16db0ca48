#!/usr/bin/env python3
"""Compiles the matmul kernel of Triton's tutorial, with three of the blocks of its own autotuner, into C files:
    reports/validations/field/compile_tutorial.py triton/python/tutorials/03-matrix-multiplication.py FOLDER
It takes the two functions of the kernel out of the tutorial, as they are, and compiles them for sm_90. It needs Triton
3.6 and no GPU."""
import ast
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "candidates" / "examples" / "triton"))
from compile import compile_for

# Of the tutorial's list, for large and small products: BLOCK_SIZE_M, _N, _K, num_stages, num_warps.
CONFIGS = [(128, 256, 64, 3, 8), (128, 128, 32, 4, 4), (64, 128, 64, 4, 4)]
# The operands, M, N and K; then pairs of strides, of which one is 1. Triton is promised multiples of 16.
SIGNATURE = "*fp16:16, *fp16:16, *fp16:16, i32:16, i32:16, i32:16, i32:16, 1, i32:16, 1, i32:16, 1"


def write_kernel(tutorial, module):
    """The tutorial's functions by themselves: it measures when it is imported."""
    text = tutorial.read_text()
    functions = [ast.get_source_segment(text, node) for node in ast.parse(text).body
                 if isinstance(node, ast.FunctionDef) and node.name in ("matmul_kernel", "leaky_relu")]
    module.write_text("\n\n".join(["import triton", "import triton.language as tl",
                                   *("@triton.jit\n" + function for function in functions)]) + "\n")


if len(sys.argv) != 3 or sys.argv[1].startswith("-"):
    sys.exit(__doc__)
folder = pathlib.Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
write_kernel(pathlib.Path(sys.argv[1]), folder / "tutorial.py")
for m, n, k, stages, warps in CONFIGS:
    # Groups of 8 rows of blocks, and no activation.
    compile_for(90, path=folder / "tutorial.py", kernel_name="matmul_kernel", out_name=f"matmul_{m}x{n}x{k}",
                out_path=folder / f"{m}x{n}x{k}", signature=f"{SIGNATURE}, {m}, {n}, {k}, 8, 0",
                grid=f"(M + {m - 1}) / {m} * ((N + {n - 1}) / {n}), 1, 1", num_warps=warps, num_stages=stages)
