/* Scratch memory of the libraries in a process. Its arms run one after the other, on one stream. So all that
 * ask for as many bytes have the same memory, which stays until the process ends. */
#ifndef BASELINES_CUDA_WORKSPACE_H
#define BASELINES_CUDA_WORKSPACE_H

#include <stddef.h>

#include <cuda_runtime_api.h>

/* Sizes: the plan's, PyTorch's, and that of a first product, which has none. */
enum { WORKSPACES = 4 };

struct workspace {
    size_t bytes;
    void *memory; /* NULL: of no bytes */
    int number;   /* among the sizes, below WORKSPACES */
};

/* 0, or a status (status.h). */
int workspace_take(size_t bytes, struct workspace *workspace);

/* Empties it, where a product that splits k leaves its partial sums. 0, or a status. */
int workspace_forget(const struct workspace *workspace, cudaStream_t stream);

#endif
