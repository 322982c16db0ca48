/* A set of kernels: gemmgate.ini and one source. */
#include "candidates/set/set.h"

#include <string.h>
#include <sys/stat.h>

#include "candidates/gemmgate.h"
#include "tests/fuzz/fuzz.h"

void fuzz_set(const uint8_t *data, size_t size) {
    static const char *const names[] = {"set/gemmgate.ini", "set/64_64_64.cu"};
    struct fuzz_part parts[2];
    struct candidate_set set;
    mkdir(fuzz_path("set"), 0777);
    fuzz_split(data, size, parts, 2);
    fuzz_put_parts(names, parts, 2);
    if (set_open(fuzz_path("set"), NULL, &set) < 0)
        return;
    fuzz_read += *set.function != 0;
    const bool listed = set.call_count > 0 && *set.calls[0].name; /* its kernels, of one file */
    fuzz_promise(listed ? set.count == set.call_count
                        : set.count == 1 && set.list[0].has_shape && set.list[0].shape.m == 64);
    for (size_t i = 0; i < set.call_count; i++)
        fuzz_promise(set.calls[i].call_count > 0 && set.calls[i].accumulate != 0);
    fuzz_promise(set.flag_count >= 0 && set.flag_count <= SET_FLAGS && *set.name);
    fuzz_promise(!*set.function || set.accumulate == GEMM_F16 || set.accumulate == GEMM_F32);
    for (int i = 0; i < set.flag_count; i++)
        fuzz_promise(*set.flags[i]);
    set_free(&set);
}
