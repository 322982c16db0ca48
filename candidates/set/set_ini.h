/* gemmgate.ini in a set's folder: what the set is called and how its files are compiled and called.
 */
#ifndef CANDIDATES_SET_SET_INI_H
#define CANDIDATES_SET_SET_INI_H

#include "candidates/set/candidate.h"

/* Reads FOLDER/gemmgate.ini into the set, if there is one. In the section [set]:
 *
 *     name        what reports call the set
 *     pattern     which files are kernels, as a shell pattern (*.cu)
 *     arch        what it was written for: 80, 86, 89, 90a
 *     include     a folder of headers, relative to the set's; may be said in several lines
 *     flags       further compiler arguments, separated by blanks; may be said in several lines
 *
 * These may stand in [set], for all kernels, or in a section [kernel NAME] for one:
 *
 *     call        an expression that calls a function of the file (candidates/set/call.h), over a,
 *                 b_row, b_col, c, m, n, k, stream, workspace, one, zero; it may have several lines
 *     accumulate  f16 or f32: what that function claims
 *     element     f16 or bf16, or both with a comma between: what the kernels serve. A function
 *                 serves f16 where nothing is said; a kernel of gemmgate.h says it itself. All
 *                 kernels of a set serve the same
 *     can_do      an expression of m, n and k: whether it serves the shape
 *     tile        MxNxK: operands are padded to multiples of these
 *     workspace   an expression of m, n and k: bytes of scratch memory
 *     device      host or cuda, where the file's type does not say it
 *     reads_c     yes: the function reads C, if only times beta = 0, so that C holds 65504 before a
 *                 call and not NaN
 *     file        [kernel NAME] only: the source, by its path from the set's folder
 *
 * With [kernel NAME] the set has these kernels and no others. Else every file of the pattern is
 * one.
 *
 * pattern (size PATTERN_SIZE) is left as it is where the file does not set it. 0, or -1 after
 * error() with file and line; either way set_free frees. */
#define PATTERN_SIZE 64
int set_ini_read(struct candidate_set *set, char pattern[PATTERN_SIZE]);

#endif
