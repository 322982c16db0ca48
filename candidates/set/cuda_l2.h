/* Reading a kernel set of the CUDA-L2 release (github deepreinforce-ai/CUDA-L2) as it is: what its
 * folder's name says, what its sources say, and how their functions are called. */
#ifndef CANDIDATES_SET_CUDA_L2_H
#define CANDIDATES_SET_CUDA_L2_H

#include <stdint.h>

#include "candidates/set/candidate.h"

/* The longest name of a function. */
#define CUDA_L2_ENTRY 64

/* Turns an opened set into one of the release, whose files are shapes and define functions
 * cuda_l2_...: call, tile and flags. Architecture, element and accumulator come from the name of the
 * folder, as in h100_F32F16F16F32, or else from that of the functions, as cuda_l2_h100_fp32. Where
 * neither says it the set has no architecture, is of f16 and claims both accumulators. CUTLASS
 * headers come from the folder `cutlass` (a checkout, an include folder, or what the nvidia-cutlass
 * wheel holds); NULL: the set can be looked at, and not be compiled. 0, or -1 after error(). */
int cuda_l2_configure(struct candidate_set *set, const char *cutlass);

/* -1, after error() says where CUTLASS is to be had. */
int cuda_l2_refuse_bare(const struct candidate_set *set);

/* The folders of a checkout's kernels/, in the order of their names. Returns how many; the caller
 * frees each and the list. */
int cuda_l2_sets(const char *folder, char ***names);

/* Reads what can be read of a source: length, tile, stages, swizzle, and the name of the function.
 * `tile` becomes what the release pads operands to. Returns NULL, or a sentence that says why this is
 * no kernel of such a set. */
const char *cuda_l2_read(const char *text, struct candidate_traits *traits, int32_t tile[3],
                         char entry[CUDA_L2_ENTRY]);

#endif
