/* Reading a kernel set of the CUDA-L2 release (github deepreinforce-ai/CUDA-L2) as it is: what its
 * folder's name says, what its sources say, and how their functions are called. */
#ifndef CANDIDATES_SET_CUDA_L2_H
#define CANDIDATES_SET_CUDA_L2_H

#include <stdint.h>

#include "candidates/set/candidate.h"

/* Turns an opened set into one of the release: accumulate, call, architecture and flags from the folder's name ({a100,3090,h100}_{F16F16F16F16,F32F16F16F32}), CUTLASS headers from the folder
 * `cutlass` (a checkout, an include folder, or what the nvidia-cutlass wheel holds). 0, or -1 after
 * error(). */
int cuda_l2_configure(struct candidate_set *set, const char *cutlass);

/* Reads what can be read of a source: length, tile, stages, swizzle, and whether it defines
 * `function`. `tile` becomes what the release pads operands to. Returns NULL, or a sentence that
 * says why this is no kernel of such a set. */
const char *cuda_l2_read(const char *text, const char *function, struct candidate_traits *traits,
                         int32_t tile[3]);

#endif
