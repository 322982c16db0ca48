#include "bench/process/machine.h"

#include <stdio.h>
#include <string.h>

#include "bench/base/error.h"

enum { LIMIT_SECONDS = 120, SHARED_BYTES = 256 << 10 };

/* What to do about a runner that died so; "" where nobody knows. The dynamic linker ends with 127. */
static const char *remedy(int code, const char *printed) {
    return code == 127 && strstr(printed, "libcu")
               ? "; this build needs CUDA's libraries: install the toolkit of that release, or put "
                 "the folders that have them in LD_LIBRARY_PATH (pip's nvidia-cublas and "
                 "nvidia-cuda-runtime, for CUDA 12 with -cu12 behind the names, put them below "
                 "site-packages/nvidia); a build without CUDA needs none"
               : "";
}

/* Asks a new runner for a list, and copies at most `most` of its entries. Returns how many, or -1. */
static int ask_list(struct runner_process *process, struct wire_describe what, void *list,
                    size_t size, int most) {
    static struct wire_reply reply;
    const struct wire_request request = wire_describe_request(what);
    int code = 0;
    if (process_start(process, SHARED_BYTES) < 0)
        return -1;
    if (process_ask(process, &request, LIMIT_SECONDS, &reply, &code) != PROCESS_ANSWERED)
        return error("the runner died (%d) when asked about this machine: %s%s", code,
                     process->printed, remedy(code, process->printed));
    if (reply.status < 0 || reply.describe.count > process->shared_bytes / size)
        return error("the runner cannot describe this machine: %s", process->printed);
    const int count = reply.describe.count < (uint64_t)most ? (int)reply.describe.count : most;
    memcpy(list, process->shared, (size_t)count * size);
    return count;
}

/* Ends a text that libraries may have written to. */
#define END(text) ((text)[sizeof(text) - 1] = 0)

int machine_devices(struct wire_device *list, int most, struct runner_process *keeper) {
    struct runner_process process = PROCESS_NONE;
    const int count =
        ask_list(&process, (struct wire_describe){.baselines = 0}, list, sizeof *list, most);
    for (int i = 0; i < count; i++) {
        struct device_info *info = &list[i].info;
        END(list[i].kind), END(list[i].why);
        END(info->name), END(info->uuid), END(info->pci), END(info->blas);
    }
    if (keeper && count >= 0)
        *keeper = process;
    else
        process_end(&process);
    return count;
}

int machine_baselines(struct wire_baseline *list, int most) {
    struct runner_process process = PROCESS_NONE;
    const int count =
        ask_list(&process, (struct wire_describe){.baselines = 1}, list, sizeof *list, most);
    for (int i = 0; i < count; i++)
        END(list[i].name);
    process_end(&process);
    return count;
}
