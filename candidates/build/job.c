#include "candidates/build/job.h"

#include "candidates/set/cuda_l2.h"

bool job_has_wrapper(const struct builder *builder, const struct job *job) {
    return *builder->set->function || job->candidate->call;
}

void job_write_wrapper(FILE *out, const struct builder *builder, const struct job *job,
                       const char *source) {
    static const enum call_language languages[] = {
        [CANDIDATE_CU] = CALL_CUDA, [CANDIDATE_C] = CALL_C, [CANDIDATE_SO] = CALL_LIBRARY};
    const struct candidate *candidate = job->candidate;
    if (candidate->call)
        call_write_wrapper(out, candidate->call, candidate->label, languages[candidate->type],
                           builder->set->element, source);
    else
        cuda_l2_write_wrapper(out, builder->set, candidate, source);
}
