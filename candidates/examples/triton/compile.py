#!/usr/bin/env python3
"""Compiles matmul.py for GPUs of one compute capability into C files beside this script:
    compile.py 90
It needs Triton 3.6, and neither a GPU nor PyTorch."""
import pathlib
import sys

import triton
from triton.backends.compiler import GPUTarget
from triton.backends.nvidia.driver import CudaDriver
from triton.tools.compile import CompileArgs, compile_kernel


class NoGPU(CudaDriver):
    """Triton asks its driver which GPU it compiles for. This one looks for no GPU."""

    def __init__(self, capability):
        self.target = GPUTarget("cuda", capability, 32)

    def get_current_target(self):
        return self.target


def compile_for(capability, **arguments):
    triton.runtime.driver.set_active(NoGPU(capability))
    name, files = compile_kernel(CompileArgs(**arguments))
    print(f"{name}: {', '.join(file.name for file in files)}")


if __name__ == "__main__":
    if len(sys.argv) != 2 or not sys.argv[1].isdigit():
        sys.exit(__doc__)
    folder = pathlib.Path(__file__).resolve().parent
    # ":16" promises a multiple of 16. Without the promise for n and k, rows are read one number at a time.
    for sizes in "i32, i32:16, i32:16", "i32, i32, i32":
        compile_for(int(sys.argv[1]), path=folder / "matmul.py", kernel_name="matmul", out_path=folder / "matmul",
                    signature=f"*fp16:16, *fp16:16, *fp16:16, {sizes}, 128, 128, 32",
                    grid="(m + 127) / 128 * ((n + 127) / 128), 1, 1", num_warps=4, num_stages=4)
