#!/usr/bin/env bash
# A C file such as Triton's compiler writes is a kernel as it comes: it includes the driver's header, and calls the driver. Toolkit and
# driver are fakes, and the GPU is the host. The set is that of candidates/examples/triton.
# Covers: candidates/build candidates/examples/triton candidates/set tests/cli/triton.sh
. "$(dirname "$0")/lib.sh"
. "$SOURCE/tests/support/staged.sh"

mkdir -p toolkit/{bin,include,lib64/stubs}
touch toolkit/bin/nvcc.profile
printf '#!/bin/sh\nexit 1\n' >toolkit/bin/nvcc
chmod +x toolkit/bin/nvcc
export CUDACXX=$scratch/toolkit/bin/nvcc
cat >toolkit/include/cuda.h <<'END'
#include <stdint.h>
#include <stdlib.h>
typedef int CUdevice, CUdevice_attribute, CUfunc_cache, CUfunction_attribute;
typedef const unsigned char *CUmodule, *CUfunction;
typedef struct CUstream_st *CUstream;
typedef unsigned long long CUdeviceptr;
typedef enum { CUDA_SUCCESS = 0, CUDA_ERROR_INVALID_VALUE = 1, CUDA_ERROR_NO_BINARY_FOR_GPU = 209 } CUresult;
enum { CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97, CU_FUNC_CACHE_PREFER_SHARED = 1,
       CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8 };
CUresult cuGetErrorString(CUresult, const char **);
CUresult cuModuleLoadData(CUmodule *, const void *);
CUresult cuModuleUnload(CUmodule);
CUresult cuModuleGetFunction(CUfunction *, CUmodule, const char *);
CUresult cuDeviceGetAttribute(int *, CUdevice_attribute, CUdevice);
CUresult cuFuncSetCacheConfig(CUfunction, CUfunc_cache);
CUresult cuFuncSetAttribute(CUfunction, CUfunction_attribute, int);
CUresult cuLaunchKernel(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, void **, void **);
END
# Its one kernel is that of matmul.py: each block makes a tile of C, of 128 x 128. A launch for 40 rows fails.
cat >driver.c <<'END'
#include <string.h>
#include <cuda.h>
#include "right/half.h"
CUresult cuGetErrorString(CUresult status, const char **text) { *text = "a fake error"; return status; }
CUresult cuModuleLoadData(CUmodule *module, const void *image) {
    *module = image;
    return **module ? CUDA_SUCCESS : CUDA_ERROR_NO_BINARY_FOR_GPU;
}
CUresult cuModuleUnload(CUmodule module) { (void)module; return CUDA_SUCCESS; }
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
    *function = module;
    return strcmp(name, "matmul") == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute which, CUdevice device) {
    (void)which, (void)device;
    *value = 232448;
    return CUDA_SUCCESS;
}
CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache cache) { (void)function, (void)cache; return CUDA_SUCCESS; }
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute which, int value) {
    (void)function, (void)which, (void)value;
    return CUDA_SUCCESS;
}
CUresult cuLaunchKernel(CUfunction function, unsigned x, unsigned y, unsigned z, unsigned bx, unsigned by, unsigned bz, unsigned shared,
                        CUstream stream, void **p, void **extra) {
    const uint16_t *a = *(const uint16_t **)p[0], *b = *(const uint16_t **)p[1];
    uint16_t *c = *(uint16_t **)p[2];
    const int m = *(int *)p[3], n = *(int *)p[4], k = *(int *)p[5], across = (n + 127) / 128;
    (void)function, (void)y, (void)z, (void)bx, (void)by, (void)bz, (void)shared, (void)stream, (void)extra;
    if (m == 40)
        return CUDA_ERROR_INVALID_VALUE;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n && (unsigned)(i / 128 * across + j / 128) < x; j++) {
            float sum = 0;
            for (int l = 0; l < k; l++)
                sum += half_widen(a[i * k + l]) * half_widen(b[l * n + j]);
            c[i * n + j] = half_narrow(sum);
        }
    return CUDA_SUCCESS;
}
END
cc -O2 -shared -fPIC -Itoolkit/include -I. -Wl,-soname,libcuda.so.1 -o toolkit/lib64/stubs/libcuda.so driver.c
mkdir driver
cp toolkit/lib64/stubs/libcuda.so driver/libcuda.so.1
export LD_LIBRARY_PATH=$scratch/driver${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}

# written NAME BYTE: a file in the form of those that Triton 3.6 writes, with a cubin of two bytes.
written() {
    cat <<END
/* clang-format off */
#include <stdio.h>
#include <stdint.h>
#include <inttypes.h>
#include <string.h>
#include <cuda.h>

#define CUDA_CHECK(ans) {\\
    gpuAssert((ans), __FILE__, __LINE__);\\
  }\\

static inline void gpuAssert(CUresult code, const char *file, int line) {
  if (code != CUDA_SUCCESS) {
    const char *str;
    cuGetErrorString(code, &str);
    printf("%s\\n", str);
    exit(code);
  }
}

CUmodule $1_mod = NULL;
CUfunction $1_func = NULL;
unsigned char $1_cubin[2] = { $2, 0x45 };

void unload_$1(void) {
    CUDA_CHECK(cuModuleUnload($1_mod));
}

void load_$1() {
    int dev = 0;
    void *bin = (void *)&$1_cubin;
    int shared = 65536;
    CUDA_CHECK(cuModuleLoadData(&$1_mod, bin));
    CUDA_CHECK(cuModuleGetFunction(&$1_func, $1_mod, "matmul"));
    int shared_optin;
    CUDA_CHECK(cuDeviceGetAttribute(&shared_optin, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, dev));
    if (shared > 49152 && shared_optin > 49152) {
      CUDA_CHECK(cuFuncSetCacheConfig($1_func, CU_FUNC_CACHE_PREFER_SHARED));
      CUDA_CHECK(cuFuncSetAttribute($1_func, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, shared_optin))
    }
}

CUresult $1(CUstream stream, CUdeviceptr a, CUdeviceptr b, CUdeviceptr c, int32_t m, int32_t n, int32_t k) {
    if ($1_func == NULL)
       load_$1();
    unsigned int gX = (m + 127) / 128 * ((n + 127) / 128);
    unsigned int gY =  1;
    unsigned int gZ =  1;
    CUdeviceptr global_scratch = 0;
    CUdeviceptr profile_scratch = 0;
    void *args[8] = { &a, &b, &c, &m, &n, &k, &global_scratch, &profile_scratch };
    if(gX * gY * gZ > 0)
      return cuLaunchKernel($1_func, gX, gY, gZ, 4 * 32, 1, 1, 65536, stream, args, NULL);
}
END
}
mkdir set
cp "$SOURCE/candidates/examples/triton/gemmgate.ini" set
while read -r file; do
    name=${file%.c}
    written "${name/./_}" 0x7f >"set/$file"
done < <(sed -n 's/^file = //p' set/gemmgate.ini)

# A promise that is not kept, ragged shapes, a launch that fails.
expect 0 "$GEMMGATE" "${run[@]}" --candidates set --shapes 144x16x16,133x37x9,40x16x16 --visits 4 -o RUN
for row in 144x16x16=triton=ok 144x16x16=triton-any=ok 133x37x9=triton=unsupported 133x37x9=triton-any=ok \
    40x16x16=triton=launch-failed 40x16x16=triton-any=launch-failed; do
    IFS='=' read -r shape kernel outcome <<<"$row"
    grep -q "^${shape//x/,},$kernel,$kernel,$outcome," RUN/checks.csv || { cat RUN/checks.csv >&2; fail "$kernel of $shape is not $outcome"; }
done
[ "$(field RUN/recordings.csv triton result)" = same ] || { cat RUN/recordings.csv >&2; fail 'it is not recorded'; }
[ "$(field RUN/recordings.csv triton-any result)" = same,same ] || { cat RUN/recordings.csv >&2; fail 'a ragged shape is not recorded'; }
[ "$(lenses RUN triton)" = call,device,stream ] || { cat RUN/times.csv >&2; fail 'a lens is not timed'; }
echo ok
