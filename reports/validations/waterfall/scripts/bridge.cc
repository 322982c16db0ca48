/* Calls a kernel that gemmgate compiled. Its function takes gemmgate's stand-ins for tensors. They are made once and
 * only their memory is exchanged, since making them costs 0.2 us a call. */
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <torch/extension.h>

struct operand {
    std::shared_ptr<gemmgate_standin::storage> storage =
        std::make_shared<gemmgate_standin::storage>(gemmgate_standin::storage{nullptr, nullptr});
    at::Tensor tensor;
    void set(void *data, int64_t rows, int64_t cols) {
        if (tensor.dim() != 2 || tensor.size(0) != rows || tensor.size(1) != cols)
            tensor = at::Tensor(storage, {rows, cols}, at::kHalf);
        storage->data = data;
    }
};

/* A tensor that is handed over by value is handed over by its address, and stays the caller's. */
using function = void (*)(at::Tensor *, at::Tensor *, at::Tensor *, at::Tensor *);

static function kernel;
static operand operands[4];

extern "C" __attribute__((visibility("default"))) void set_kernel(void *of) {
    kernel = reinterpret_cast<function>(of);
}

extern "C" __attribute__((visibility("default"))) void call_kernel(void *a, void *b, void *b_col, void *c, int64_t m, int64_t n,
                                                                   int64_t k) {
    operands[0].set(a, m, k);
    operands[1].set(b, k, n);
    operands[2].set(b_col, k, n);
    operands[3].set(c, m, n);
    kernel(&operands[0].tensor, &operands[1].tensor, &operands[2].tensor, &operands[3].tensor);
}
