/* Registrations with Python and with torch's dispatcher. They are compiled, and never run. */
#ifndef GEMMGATE_STANDIN_REGISTRATION_H
#define GEMMGATE_STANDIN_REGISTRATION_H

#include <initializer_list>
#include <string>

namespace gemmgate_standin {

struct registration {
    template <class... T> registration &def(T &&...) {
        return *this;
    }
    template <class T> registration &def(const char *, std::initializer_list<T>) {
        return *this;
    }
    template <class... T> registration &impl(T &&...) {
        return *this;
    }
    template <class... T> registration &op(T &&...) {
        return *this;
    }
    template <class... T> registration &set_python_module(T &&...) {
        return *this;
    }
    template <class... T> registration def_submodule(T &&...) {
        return *this;
    }
    template <class T> registration &operator=(const T &) {
        return *this;
    }
    registration attr(const char *) {
        return *this;
    }
    std::string &doc() {
        return words_;
    }

  private:
    std::string words_;
};

} // namespace gemmgate_standin

namespace pybind11 {
using module_ = gemmgate_standin::registration;
using module = module_;
struct arg {
    explicit constexpr arg(const char *) {
    }
    template <class T> arg operator=(const T &) const {
        return *this;
    }
    arg noconvert(bool = true) const {
        return *this;
    }
};
struct none {};
struct kw_only {};
struct gil_scoped_release {
    gil_scoped_release() {
    }
};
using gil_scoped_acquire = gil_scoped_release;
template <class...> struct call_guard {};
namespace literals {
constexpr arg operator""_a(const char *name, size_t) {
    return arg(name);
}
} // namespace literals
} // namespace pybind11

namespace c10 {
enum class DispatchKey {
    CPU,
    CUDA,
    Meta,
    Autograd,
    AutogradCUDA,
    CompositeExplicitAutograd,
    CompositeImplicitAutograd
};
struct RegisterOperators : gemmgate_standin::registration {
    template <class... T> explicit RegisterOperators(T &&...) {
    }
};
} // namespace c10

namespace at {
enum class Tag { core, needs_fixed_stride_order, pt2_compliant_tag };
} // namespace at

namespace torch {
using Library = gemmgate_standin::registration;
using c10::RegisterOperators;
template <class F> F &&dispatch(c10::DispatchKey, F &&function) {
    return static_cast<F &&>(function);
}
namespace jit {
using c10::RegisterOperators;
}
} // namespace torch

#ifndef TORCH_EXTENSION_NAME
#define TORCH_EXTENSION_NAME gemmgate_extension
#endif
#define TORCH_FN(function) &function

#define GEMMGATE_JOIN_(a, b) a##b
#define GEMMGATE_JOIN(a, b) GEMMGATE_JOIN_(a, b)
#define GEMMGATE_REGISTRATION(m)                                                                   \
    inline void GEMMGATE_JOIN(gemmgate_registration_,                                              \
                              __COUNTER__)([[maybe_unused]] ::gemmgate_standin::registration & m)
#define PYBIND11_MODULE(name, m, ...) GEMMGATE_REGISTRATION(m)
#define TORCH_LIBRARY(name, m) GEMMGATE_REGISTRATION(m)
#define TORCH_LIBRARY_FRAGMENT(name, m) GEMMGATE_REGISTRATION(m)
#define TORCH_LIBRARY_IMPL(name, key, m) GEMMGATE_REGISTRATION(m)

#endif
