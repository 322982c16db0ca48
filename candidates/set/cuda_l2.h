/* Reading a kernel set of the CUDA-L2 release (github deepreinforce-ai/CUDA-L2) as it is: what its
 * folder's name says, what its sources say, and the wrapper that makes one of its files a
 * candidate. */
#ifndef CANDIDATES_SET_CUDA_L2_H
#define CANDIDATES_SET_CUDA_L2_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "candidates/set/candidate.h"

/* Turns an opened set into one of the release: accumulate, function, architecture and flags from
 * the folder's name ({a100,3090,h100}_{F16F16F16F16,F32F16F16F32}), CUTLASS headers from the folder
 * `cutlass` (a checkout, an include folder, or what the nvidia-cutlass wheel holds). 0, or -1 after
 * error(). */
int cuda_l2_configure(struct candidate_set *set, const char *cutlass);

/* Reads what can be read of a source: length, tile, stages, swizzle, and whether it defines
 * `function`. Returns NULL, or a sentence that says why this is no kernel of such a set. */
const char *cuda_l2_read(const char *text, const char *function, struct candidate_traits *traits);

/* The include path of the stand-in for torch, for any set whose functions may take tensors. */
int cuda_l2_add_standin(struct candidate_set *set);

/* Writes the wrapper: a .cu that includes the source, by the path `source`, and exports its
 * function as gemmgate_function (candidates/set/function_call.h). */
void cuda_l2_write_wrapper(FILE *out, const struct candidate_set *set,
                           const struct candidate *candidate, const char *source);

#endif
