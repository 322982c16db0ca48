#include "baselines/cuda/workspace.h"

#include "baselines/cuda/status.h"

int workspace_take(size_t bytes, struct workspace *workspace) {
    static struct workspace taken[WORKSPACES];
    static int count;
    int number = 0;
    while (number < count && taken[number].bytes != bytes)
        number++;
    if (number == WORKSPACES)
        return STATUS_NO_MEMORY;
    *workspace =
        number < count ? taken[number] : (struct workspace){.bytes = bytes, .number = number};
    const int status =
        number < count || bytes == 0 ? 0 : (int)cudaMalloc(&workspace->memory, bytes);
    if (status == 0 && number == count)
        taken[count++] = *workspace;
    return status;
}

int workspace_forget(const struct workspace *workspace, cudaStream_t stream) {
    return workspace->memory ? (int)cudaMemsetAsync(workspace->memory, 0, workspace->bytes, stream)
                             : 0;
}
