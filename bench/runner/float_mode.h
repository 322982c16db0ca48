/* The processor's mode for binary32 and binary64 on the calling thread: rounding, traps, and
 * whether subnormals are flushed to zero, as -ffast-math has it when a library is loaded. A
 * function leaves it as it found it, says the ABI; where a kernel does not, the runner does, so
 * that the next one's numbers are its own. Kernels are called in the mode that the process began
 * with. */
#ifndef BENCH_RUNNER_FLOAT_MODE_H
#define BENCH_RUNNER_FLOAT_MODE_H

#include <stdint.h>

#if defined(__x86_64__)
#include <xmmintrin.h>

static inline uint64_t float_mode(void) {
    return _mm_getcsr();
}

static inline void float_mode_set(uint64_t mode) {
    _mm_setcsr((uint32_t)mode);
}

#elif defined(__aarch64__)

static inline uint64_t float_mode(void) {
    uint64_t mode;
    __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
    return mode;
}

static inline void float_mode_set(uint64_t mode) {
    __asm__ volatile("msr fpcr, %0" : : "r"(mode));
}

#else
#error "How is this processor's floating-point mode read and set?"
#endif

#endif
