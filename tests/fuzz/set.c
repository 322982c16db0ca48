/* A set of kernels: gemmgate.ini and one source. */
#include "candidates/set/set.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "candidates/set/cuda_l2.h"
#include "tests/fuzz/fuzz.h"

/* As that of a release set, and of torch functions, too. */
static void read_source(const struct fuzz_part *source) {
    struct candidate_traits traits = {-1, -1, -1, -1, -1, -1};
    int32_t tile[3] = {0};
    char *text = strndup(source->data ? (const char *)source->data : "", source->size);
    char entry[CUDA_L2_ENTRY], call[TORCH_CALL];
    cuda_l2_read(text, &traits, tile, entry);
    fuzz_promise(traits.length == (int64_t)strlen(text) && tile[0] >= 0);
    torch_call_propose(text, call);
    fuzz_promise(strlen(call) < TORCH_CALL);
    free(text);
}

void fuzz_set(const uint8_t *data, size_t size) {
    static const char *const names[] = {"set/gemmgate.ini", "set/64_64_64.cu"};
    struct fuzz_part parts[2];
    struct candidate_set set;
    mkdir(fuzz_path("set"), 0777);
    fuzz_split(data, size, parts, 2);
    fuzz_put_parts(names, parts, 2);
    read_source(&parts[1]);
    if (set_open(fuzz_path("set"), NULL, &set) < 0)
        return;
    fuzz_read += set.call_count > 0;
    const bool listed = set.call_count > 0 && *set.calls[0].name; /* its kernels, of one file */
    fuzz_promise(listed ? set.count == set.call_count
                        : set.count == 1 && set.list[0].has_shape && set.list[0].shape.m == 64);
    for (size_t i = 0; i < set.call_count; i++)
        fuzz_promise(*set.calls[i].call.text && set.calls[i].accumulate != 0);
    fuzz_promise(set.flag_count >= 0 && set.flag_count <= SET_FLAGS && *set.name);
    for (int i = 0; i < set.flag_count; i++)
        fuzz_promise(*set.flags[i]);
    set_free(&set);
}
