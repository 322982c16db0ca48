/* Devices, streams and guards. There is one device, and one stream: that of the call. */
#ifndef GEMMGATE_STANDIN_CUDA_H
#define GEMMGATE_STANDIN_CUDA_H

#include "call.h"

namespace c10 {
namespace cuda {

inline DeviceIndex current_device() {
    int device = 0;
    gemmgate_standin::require(cudaGetDevice(&device));
    return static_cast<DeviceIndex>(device);
}
inline DeviceIndex device_count() {
    return 1;
}
inline void set_device(int) {
}
inline void device_synchronize() {
    gemmgate_standin::require(cudaDeviceSynchronize());
}

class CUDAStream {
  public:
    cudaStream_t stream() const {
        return gemmgate_standin::stream();
    }
    operator cudaStream_t() const {
        return stream();
    }
    void synchronize() const {
        gemmgate_standin::require(cudaStreamSynchronize(stream()));
    }
    DeviceIndex device_index() const {
        return current_device();
    }
    Device device() const {
        return Device(DeviceType::CUDA, current_device());
    }
};
inline CUDAStream getCurrentCUDAStream(int = -1) {
    return {};
}
inline CUDAStream getDefaultCUDAStream(int = -1) {
    return {};
}
template <class... T> CUDAStream getStreamFromPool(T...) {
    static_assert(gemmgate_standin::never<T...>,
                  "getStreamFromPool gives another stream than the call's, which is timed");
    return {};
}

/* Of whatever they are made, they guard what is so anyway. */
struct CUDAGuard {
    template <class... T> explicit CUDAGuard(const T &...) {
    }
    template <class... T> void set_device(const T &...) const {
    }
    template <class... T> void set_index(const T &...) const {
    }
    template <class... T> void reset_device(const T &...) const {
    }
};
using OptionalCUDAGuard = CUDAGuard;
using CUDAStreamGuard = CUDAGuard;
using OptionalCUDAStreamGuard = CUDAGuard;

inline cudaDeviceProp *getCurrentDeviceProperties() {
    static cudaDeviceProp properties;
    static const cudaError_t status = cudaGetDeviceProperties(&properties, current_device());
    gemmgate_standin::require(status);
    return &properties;
}
inline cudaDeviceProp *getDeviceProperties(int) {
    return getCurrentDeviceProperties();
}
inline int warp_size() {
    return 32;
}

} // namespace cuda

using DeviceGuard = cuda::CUDAGuard;
using OptionalDeviceGuard = cuda::CUDAGuard;
struct InferenceMode {
    explicit InferenceMode(bool = true) {
    }
};
struct NoGradGuard {
    NoGradGuard() {
    }
};

} // namespace c10

namespace at {
namespace cuda {
using namespace c10::cuda;
} // namespace cuda
using AutoDispatchBelowADInplaceOrView = c10::NoGradGuard;
using AutoNonVariableTypeMode = c10::NoGradGuard;
} // namespace at

#endif
