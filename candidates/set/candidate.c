#include "candidates/set/candidate.h"

#include <stdio.h>

#include "bench/base/error.h"
#include "candidates/gemmgate.h"

int set_add_flag(struct candidate_set *set, const char *flag) {
    if (set->flag_count == SET_FLAGS || snprintf(set->flags[set->flag_count], sizeof set->flags[0],
                                                 "%s", flag) >= (int)sizeof set->flags[0])
        return error("%s: too many or too long compiler arguments at %s", set->folder, flag);
    set->flag_count++;
    return 0;
}

int set_add_include(struct candidate_set *set, const char *folder) {
    char flag[sizeof set->flags[0]];
    if (snprintf(flag, sizeof flag, "-I%s", folder) >= (int)sizeof flag)
        return error("%s: the path is too long", folder);
    return set_add_flag(set, flag);
}

const char *candidate_words(const struct candidate *candidate) {
    return candidate->call && *candidate->call->name ? candidate->label : candidate->file;
}

bool candidate_is_cuda(const struct candidate *candidate) {
    return candidate->type == CANDIDATE_CU ||
           (candidate->call && candidate->call->device == GEMM_CUDA);
}
