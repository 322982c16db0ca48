/* gemmgate.ini in a set's folder: what the set is called and how its files are compiled and called.
 */
#ifndef CANDIDATES_SET_SET_INI_H
#define CANDIDATES_SET_SET_INI_H

#include "candidates/set/candidate.h"

/* Reads FOLDER/gemmgate.ini into the set, if there is one. All keys stand in the section [set]:
 *
 *     name        what reports call the set
 *     pattern     which files are kernels, as a shell pattern (*.cu)
 *     arch        what it was written for: 80, 86, 89, 90a
 *     include     a folder of headers, relative to the set's; may be said in several lines
 *     flags       further compiler arguments, separated by blanks; may be said in several lines
 *     function    the sources do not export gemmgate_kernel but define
 *                 void FUNCTION(torch::Tensor a, b, b_col_major, c); the stand-in for torch is used
 *     accumulate  f16 or f32: what that function claims
 *
 * pattern (size PATTERN_SIZE) is left as it is where the file does not set it. 0, or -1 after
 * error() with file and line. */
#define PATTERN_SIZE 64
int set_ini_read(struct candidate_set *set, char pattern[PATTERN_SIZE]);

#endif
