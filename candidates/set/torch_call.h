/* How a function of torch tensors is called, guessed from its signature. */
#ifndef CANDIDATES_SET_TORCH_CALL_H
#define CANDIDATES_SET_TORCH_CALL_H

#include <stdbool.h>

#define TORCH_CALL 200

/* Whether the source is written for torch, and is no kernel of gemmgate.h. Then call becomes an
 * expression that calls the function of it that makes a product: the one that it registers with
 * Python or torch, else the last one of two tensors. A '?' stands for an argument whose value the
 * signature does not tell; "": there is no such function. */
bool torch_call_propose(const char *source, char call[TORCH_CALL]);

/* The same for a file. False where it cannot be read, too. */
bool torch_call_of_file(const char *path, char call[TORCH_CALL]);

#endif
