"""For recipes.sh: products that Triton compiles and launches here, exported as recipes.
    recipes_triton.py SOURCE FOLDER
"""
import sys

import torch
import triton
import triton.language as tl

sys.path.insert(0, sys.argv[1] + "/candidates/recipes")
from export_triton import export

M, N, K = 2048, 2048, 2048
BM, BN, BK = 128, 128, 64


@triton.jit
def pointers(a, b, c, m, n, k, stride_a, stride_b, stride_c, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    tiles = tl.cdiv(n, BN)
    rows = tl.program_id(0) // tiles * BM + tl.arange(0, BM)
    columns = tl.program_id(0) % tiles * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    total = tl.zeros((BM, BN), tl.float32)
    for k0 in range(0, k, BK):
        left = tl.load(a + rows[:, None] * stride_a + (k0 + inner)[None, :],
                       mask=(rows[:, None] < m) & ((k0 + inner)[None, :] < k), other=0.0)
        right = tl.load(b + (k0 + inner)[:, None] * stride_b + columns[None, :],
                        mask=((k0 + inner)[:, None] < k) & (columns[None, :] < n), other=0.0)
        total = tl.dot(left, right, total)
    tl.store(c + rows[:, None] * stride_c + columns[None, :], total.to(c.dtype.element_ty),
             mask=(rows[:, None] < m) & (columns[None, :] < n))


@triton.jit
def descriptors(a, b, c, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    row, column = tl.program_id(0) * BM, tl.program_id(1) * BN
    total = tl.zeros((BM, BN), tl.float32)
    for k0 in range(0, k, BK):
        total = tl.dot(a.load([row, k0]), b.load([k0, column]), total)
    c.store([row, column], total.to(tl.float16))


def check(c, a, b, what):
    off = (c.float() - a.float() @ b.float()).abs().max().item()
    assert off < 0.5, f"{what}: Triton's own product is off by {off}"
    print(f"{what}: Triton's own launch is off by {off:.3g}")


def operands(dtype):
    return [torch.randn(rows, columns, device="cuda", dtype=dtype) for rows, columns in ((M, K), (K, N), (M, N))]


def launch(a, b, c):
    return pointers[(triton.cdiv(M, BM) * triton.cdiv(N, BN), )](a, b, c, M, N, K, K, N, N, BM=BM, BN=BN, BK=BK,
                                                                 num_warps=8, num_stages=3)


def export_pointers(kernel, folder, name, element):
    export(kernel, folder, name, grid=f"ceil_div(m, {BM}) * ceil_div(n, {BN})", accumulate="f32", element=element,
           arguments={"a": "a", "b": "b_row", "c": "c", "m": "m", "n": "n", "k": "k", "stride_a": "k",
                      "stride_b": "n", "stride_c": "n"})


a, b, c = operands(torch.float16)
kernel = launch(a, b, c)
check(c, a, b, "pointers")
print(f"pointers by Triton's do_bench: {1e3 * triton.testing.do_bench(lambda: launch(a, b, c)):.2f} us; "
      f"torch.matmul: {1e3 * triton.testing.do_bench(lambda: a @ b):.2f} us")
export_pointers(kernel, sys.argv[2], "triton-pointers", "f16")

brain = operands(torch.bfloat16)
kernel = launch(*brain)
assert (brain[2].float() - brain[0].float() @ brain[1].float()).abs().max().item() < 4, "bf16: Triton's own is wrong"
export_pointers(kernel, sys.argv[2] + "-bf16", "triton-bf16", "bf16")

if torch.cuda.get_device_capability()[0] >= 9:
    from triton.tools.tensor_descriptor import TensorDescriptor
    kernel = descriptors[(triton.cdiv(M, BM), triton.cdiv(N, BN))](
        TensorDescriptor.from_tensor(a, [BM, BK]), TensorDescriptor.from_tensor(b, [BK, BN]),
        TensorDescriptor.from_tensor(c, [BM, BN]), K, BM=BM, BN=BN, BK=BK, num_warps=8, num_stages=3)
    check(c, a, b, "descriptors")
    export(kernel, sys.argv[2], "triton-descriptors", grid=[f"ceil_div(m, {BM})", f"ceil_div(n, {BN})"],
           accumulate="f32", can_do="n % 8 == 0",
           arguments={"a": {"pointer": "a", "shape": ["m", "k"], "strides": ["k", 1]},
                      "b": {"pointer": "b_row", "shape": ["k", "n"], "strides": ["n", 1]},
                      "c": {"pointer": "c", "shape": ["m", "n"], "strides": ["n", 1]}, "k": "k"})
