/* The call in hand: its stream, the memory of tensors that it makes, and its C. The wrapper around
 * the function sets it. */
#ifndef GEMMGATE_STANDIN_CALL_H
#define GEMMGATE_STANDIN_CALL_H

#include <cstdio>
#include <memory>

#include "options.h"

namespace c10 {
/* What a failed check throws. */
class Error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
    const char *what_without_backtrace() const {
        return what();
    }
    const char *msg() const {
        return what();
    }
};
} // namespace c10

namespace gemmgate_standin {

template <class...> constexpr bool never = false;

inline void require(cudaError_t status) {
    if (status != cudaSuccess)
        throw c10::Error(cudaGetErrorString(status));
}

inline cudaStream_t &stream() {
    static cudaStream_t current = nullptr;
    return current;
}

/* Memory for tensors: pieces of one block that is there before the first call, so that no call asks
 * CUDA for memory. A tensor that outlives its call keeps its piece. Work on the one stream has an
 * order, so a piece can be taken again as soon as its tensor is gone. */
class workspace {
  public:
    /* Whether anything in the file can ask for memory; see `memory`. */
    bool wanted = false;

    static workspace &get() {
        static workspace *const own = new workspace; /* it outlives the file's static tensors */
        return *own;
    }
    cudaError_t open(size_t bytes) {
        if (!wanted || bytes <= size_)
            return cudaSuccess;
        close();
        if (size_ > 0) /* a static tensor is in it */
            return cudaSuccess;
        const cudaError_t status = cudaMalloc(&memory_, bytes);
        size_ = status == cudaSuccess ? bytes : 0;
        return status;
    }
    void close() {
        if (!pieces_.empty() || size_ == 0)
            return;
        cudaFree(memory_);
        size_ = 0;
    }
    std::shared_ptr<void> take(size_t bytes) {
        constexpr size_t unit = 256;
        const size_t size = std::max((bytes + unit - 1) / unit, size_t{1}) * unit;
        size_t at = 0, next = 0;
        while (next < pieces_.size() && pieces_[next].at - at < size) {
            at = pieces_[next].at + pieces_[next].size;
            next++;
        }
        if (size_ - at < size)
            refuse(bytes);
        pieces_.insert(pieces_.begin() + static_cast<std::ptrdiff_t>(next), piece{at, size});
        return {static_cast<char *>(memory_) + at, [this, at](void *) { give_back(at); }};
    }

  private:
    struct piece {
        size_t at, size;
    };
    [[noreturn]] void refuse(size_t bytes) const {
        char text[200];
        size_t used = 0;
        for (const piece &p : pieces_)
            used += p.size;
        std::snprintf(text, sizeof text,
                      "it makes a tensor of %zu bytes, and %zu of its workspace of %zu bytes are "
                      "taken; --workspace gives more",
                      bytes, used, size_);
        throw c10::Error(text);
    }
    void give_back(size_t at) {
        for (size_t i = 0; i < pieces_.size(); i++)
            if (pieces_[i].at == at) {
                pieces_.erase(pieces_.begin() + static_cast<std::ptrdiff_t>(i));
                return;
            }
    }
    void *memory_ = nullptr;
    size_t size_ = 0;
    std::vector<piece> pieces_; /* by their place */
};

/* A function that asks for memory is a template with this default, so that a workspace is made for
 * those files alone that call one. */
struct memory;
template <class T> struct asks { static bool memory; };
template <class T> bool asks<T>::memory = workspace::get().wanted = true;
template <class T> std::shared_ptr<void> take(size_t bytes) {
    (void)asks<T>::memory;
    return workspace::get().take(bytes);
}

/* Memory that a tensor and its views share. All of them follow when it is exchanged. */
struct storage {
    void *data;
    std::shared_ptr<void> owner; /* NULL: it is somebody else's */
};

/* The C of a function that returns it. The first tensor of its size and type is C itself. */
struct result_place {
    void *data = nullptr; /* NULL: the function returns no tensor */
    int64_t rows = 0, cols = 0;
    c10::ScalarType type = c10::ScalarType::Half;
    std::weak_ptr<storage> given;

    static result_place &get() {
        static result_place *const own = new result_place;
        return *own;
    }
    bool fits(const c10::IntArrayRef &sizes, c10::ScalarType other) const {
        return data && given.expired() && other == type && sizes.size() == 2 && sizes[0] == rows &&
               sizes[1] == cols;
    }
    std::shared_ptr<storage> give() {
        const auto c = std::make_shared<storage>(storage{data, nullptr});
        given = c;
        return c;
    }
};

} // namespace gemmgate_standin

#endif
