/* Loads one compiled candidate into this process. Only the runner does this, never the judge. */
#ifndef CANDIDATES_SET_LOAD_H
#define CANDIDATES_SET_LOAD_H

#include <stddef.h>

#include "candidates/gemmgate.h"

/* The words for a library that is none of a kernel. */
#define LOAD_NO_KERNEL                                                                             \
    "it exports no symbol gemmgate_kernel, which a kernel of gemmgate.h has; of another function " \
    "gemmgate.ini says how it is called (call = ...)"

enum load_result { LOAD_OK, LOAD_FAILED, LOAD_WRONG_ABI };

struct loaded {
    void *library;
    const struct kernel_ops *ops; /* the library's gemmgate_kernel */
    const char *note; /* what a wrapper has to say of calls that went well; NULL: it never has */
};

/* Loads the library and looks its gemmgate_kernel over. Unless LOAD_OK, why says what is
 * wrong and there is nothing to unload. */
enum load_result load_candidate(const char *so, struct loaded *loaded, char *why, size_t size);
void load_close(struct loaded *loaded);

#endif
