/* Work on each element of a tensor: copies between layouts and types, and fills. On the stream of
 * the call; a host compiler, for which memory is the host's, makes loops of it. */
#ifndef GEMMGATE_STANDIN_ELEMENTS_H
#define GEMMGATE_STANDIN_ELEMENTS_H

#include "call.h"

namespace gemmgate_standin {

/* The places of an element in two tensors of one size. */
struct places {
    int dims;
    int64_t sizes[8], to[8], from[8];

    C10_HOST_DEVICE void find(int64_t number, int64_t *at, int64_t *there) const {
        *at = *there = 0;
        for (int d = dims - 1; d >= 0; d--) {
            const bool small = number <= UINT32_MAX && sizes[d] <= UINT32_MAX;
            const int64_t above =
                small ? static_cast<uint32_t>(number) / static_cast<uint32_t>(sizes[d])
                      : number / sizes[d];
            const int64_t i = number - above * sizes[d];
            *at += i * to[d];
            *there += i * from[d];
            number = above;
        }
    }
};

template <class To, class From> struct copy_element {
    To *to;
    const From *from;
    places where;
    C10_HOST_DEVICE void operator()(int64_t number) const {
        int64_t at, there;
        where.find(number, &at, &there);
        if constexpr (std::is_same<To, From>::value)
            to[at] = from[there];
        else
            to[at] = static_cast<To>(static_cast<float>(from[there]));
    }
};

template <class To> struct fill_element {
    To *to;
    To value;
    places where;
    C10_HOST_DEVICE void operator()(int64_t number) const {
        int64_t at, unused;
        where.find(number, &at, &unused);
        to[at] = value;
    }
};

#ifdef __CUDACC__
template <class Element> __global__ void each_element(Element element, int64_t count) {
    for (int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x; i < count;
         i += static_cast<int64_t>(gridDim.x) * blockDim.x)
        element(i);
}
template <class Element> void each(const Element &element, int64_t count) {
    const int64_t blocks = std::min<int64_t>((count + 255) / 256, 4096);
    if (count > 0)
        each_element<<<static_cast<unsigned>(blocks), 256, 0, stream()>>>(element, count);
    require(cudaGetLastError());
}
#else
template <class Element> void each(const Element &element, int64_t count) {
    for (int64_t i = 0; i < count; i++)
        element(i);
}
#endif

} // namespace gemmgate_standin

#endif
