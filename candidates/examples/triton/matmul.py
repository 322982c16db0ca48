import triton
import triton.language as tl


@triton.jit
def matmul(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """C = A B, all of them row-major. Loads and stores that would leave a ragged shape are masked."""
    across = tl.cdiv(n, BN)
    rows = tl.program_id(0) // across * BM + tl.arange(0, BM)[:, None]
    columns = tl.program_id(0) % across * BN + tl.arange(0, BN)[None, :]
    row_inner, column_inner = tl.arange(0, BK)[:, None], tl.arange(0, BK)[None, :]
    from_a = a + rows.to(tl.int64) * k + column_inner
    from_b = b + row_inner.to(tl.int64) * n + columns
    sums = tl.zeros((BM, BN), dtype=tl.float32)
    for done in range(0, k, BK):
        x = tl.load(from_a, mask=(rows < m) & (column_inner < k - done), other=0)
        y = tl.load(from_b, mask=(row_inner < k - done) & (columns < n), other=0)
        sums = tl.dot(x, y, sums)
        from_a += BK
        from_b += BK * n
    tl.store(c + rows.to(tl.int64) * n + columns, sums.to(tl.float16), mask=(rows < m) & (columns < n))
