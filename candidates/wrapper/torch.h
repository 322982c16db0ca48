/* A function of torch tensors: operands as tensors, and a tensor that it returns as C. For the
 * stand-in, and for PyTorch's own headers where a set includes them. */
#ifndef CANDIDATES_WRAPPER_TORCH_H
#define CANDIDATES_WRAPPER_TORCH_H

#include <deque>
#include <stdexcept>
#include <stdio.h>
#include <type_traits>

#include "torch/extension.h"

#include "c10/cuda/CUDAGuard.h"
#include "c10/cuda/CUDAStream.h"

#include "gemmgate.h"

/* What the kernel's row is to say of its calls. */
GEMMGATE_EXPORT char gemmgate_note[160] = "";

namespace gemmgate_wrapper {

constexpr at::ScalarType element =
    std::is_same<GEMMGATE_TYPE, half>::value ? at::kHalf : at::kBFloat16;

#ifdef GEMMGATE_STANDIN_TORCH_EXTENSION_H
inline at::Tensor view(const void *data, int64_t rows, int64_t cols) {
    return at::Tensor(const_cast<void *>(data), {rows, cols}, element);
}
struct on_stream {
    explicit on_stream(cudaStream_t stream) {
        gemmgate_standin::stream() = stream;
    }
};
inline bool open_tensors(size_t bytes) {
    return gemmgate_standin::workspace::get().open(bytes) == cudaSuccess;
}
inline void close_tensors() {
    gemmgate_standin::workspace::get().close();
}
/* The first tensor of C's size that is made while this lives is C. One that the function keeps gets
 * memory of its own behind the call, with what is in it: its next call has another C. An address
 * that was taken of it before is C's still. */
class offer {
  public:
    explicit offer(const at::Tensor &c) {
        place_.data = withdrawn() ? nullptr : c.data_ptr();
        place_.rows = c.size(0);
        place_.cols = c.size(1);
        place_.type = c.scalar_type();
    }
    ~offer() {
        place_.data = nullptr;
    }
    /* From the next call on no tensor is C, which then is copied once. */
    static void withdraw(bool now) {
        withdrawn() |= now;
    }
    /* Whether something is kept beside the result. */
    template <class Tensor> bool settle(const Tensor &result) const {
        const std::shared_ptr<gemmgate_standin::storage> given = place_.given.lock();
        if (!given || given.use_count() == (result.is_in(given) ? 2 : 1))
            return false;
        const size_t bytes = static_cast<size_t>(place_.rows * place_.cols) * sizeof(GEMMGATE_TYPE);
        given->owner = gemmgate_standin::take<Tensor>(bytes);
        gemmgate_standin::require(cudaMemcpyAsync(given->owner.get(), given->data, bytes,
                                                  cudaMemcpyDeviceToDevice,
                                                  gemmgate_standin::stream()));
        given->data = given->owner.get();
        place_.given.reset();
        return true;
    }

  private:
    static bool &withdrawn() {
        static bool is = false;
        return is;
    }
    gemmgate_standin::result_place &place_ = gemmgate_standin::result_place::get();
};
#else
inline at::Tensor view(const void *data, int64_t rows, int64_t cols) {
    return torch::from_blob(const_cast<void *>(data), {rows, cols},
                            torch::dtype(element).device(torch::kCUDA));
}
struct on_stream {
    c10::cuda::CUDAStreamGuard guard;
    explicit on_stream(cudaStream_t stream)
        : guard(c10::cuda::getStreamFromExternal(stream, c10::cuda::current_device())) {
    }
};
inline bool open_tensors(size_t) {
    return true;
}
inline void close_tensors() {
}
struct offer {
    explicit offer(const at::Tensor &) {
    }
    static void withdraw(bool) {
    }
    template <class Tensor> bool settle(const Tensor &) const {
        return false;
    }
};
#endif

/* The operands of the call in hand. A function may take them by reference. */
inline std::deque<at::Tensor> &operands() {
    static std::deque<at::Tensor> list;
    return list;
}
template <class T>
constexpr bool is_tensor = std::is_same<typename std::decay<T>::type, at::Tensor>::value;

/* Lives as long as the call. */
class tensors {
  public:
    explicit tensors(cudaStream_t stream) : on_stream_(stream) {
        operands().clear();
    }
    ~tensors() {
        operands().clear();
    }

  private:
    on_stream on_stream_;
};

/* Whether it was to be copied. */
template <class Tensor> /* so that a file whose function returns none asks for no memory */
bool deliver(const Tensor &result, const Tensor &c) {
    if (!result.defined() || result.numel() != c.numel() || result.size(-1) != c.size(1)) {
        char text[160];
        snprintf(text, sizeof text,
                 "it returns a tensor of %lld elements with %lld in its last dimension, and C has "
                 "%lld rows of %lld",
                 result.defined() ? static_cast<long long>(result.numel()) : 0LL,
                 result.dim() > 0 ? static_cast<long long>(result.size(-1)) : 0LL,
                 static_cast<long long>(c.size(0)), static_cast<long long>(c.size(1)));
        throw std::runtime_error(text);
    }
    const bool is_c = result.data_ptr() == c.data_ptr();
    if (is_c && result.is_contiguous())
        return false;
    /* Of a square C its elements may be there in another order. */
    const Tensor from = is_c ? result.contiguous() : result;
    offer::withdraw(is_c);
    c.copy_(from.dim() == 2 ? from : from.reshape({c.size(0), c.size(1)}));
    return true;
}

/* Calls that copy, but for a first one, which may make what is kept. */
inline void tell_copies(bool copies) {
    static int calls;
    calls += copies;
    if (calls > 1 && !gemmgate_note[0])
        snprintf(
            gemmgate_note, sizeof gemmgate_note,
            "each call copies the tensor that the function returns into C: it is not the first "
            "of C's size, order and type that it makes, or is kept");
}

/* Makes the tensor that the expression gives C: it is C's memory, or is copied into it, which the note
 * then says. */
template <class Expression>
void take_tensor(const Expression &expression, void *data, int64_t rows, int64_t cols) {
    const at::Tensor c = view(data, rows, cols);
    const offer offered(c);
    const auto result = expression();
    const bool is_c = result.defined() && result.data_ptr() == c.data_ptr();
    bool copies = !is_c && offered.settle(result); /* before C is written to */
    copies |= deliver<at::Tensor>(result, c);
    copies |= is_c && offered.settle(result);
    tell_copies(copies);
}

} // namespace gemmgate_wrapper

/* The operand as the function gets it. */
static inline at::Tensor &tensor(const void *data, int64_t rows, int64_t cols) {
    gemmgate_wrapper::operands().push_back(gemmgate_wrapper::view(data, rows, cols));
    return gemmgate_wrapper::operands().back();
}

#endif
