/* Modules as the driver has loaded them, and what their variables hold. */
#include <stdlib.h>
#include <string.h>

#include "bench/base/hash.h"
#include "bench/record/recorder_parts.h"

enum { MOST_MODULES = 4096, MOST_VARIABLES = 4096 };

static struct recorder_module modules[MOST_MODULES];
static int module_count;

static struct {
    CUdeviceptr at;
    uint64_t bytes;
    uint32_t number;
} variables[MOST_VARIABLES];
static int variable_count;
static CUdeviceptr variables_begin = UINT64_MAX, variables_end; /* all of them lie there */

/* Called while the driver loads: it must not be asked for anything. */
void recorder_take_module(const void *image, size_t size) {
    char hash[33];
    hash_bytes(image, size, hash);
    for (int i = 0; i < module_count; i++)
        if (strcmp(modules[i].hash, hash) == 0)
            return;
    unsigned char *copy = module_count < MOST_MODULES ? malloc(size) : NULL;
    if (!copy) {
        recorder_refuse("it loads too many modules");
        return;
    }
    memcpy(copy, image, size);
    struct recorder_module *module = &modules[module_count++];
    *module = (struct recorder_module){.image = copy, .size = size, .number = RECORDING_NONE};
    memcpy(module->hash, hash, sizeof hash);
}

struct recorder_module *recorder_find_module(const char *kernel) {
    struct recorder_module *found = NULL;
    for (int i = 0; i < module_count; i++) {
        if (!cubin_has_kernel(modules[i].image, modules[i].size, kernel))
            continue;
        if (found) {
            recorder_refuse("two modules have a kernel %.100s", kernel);
            return NULL;
        }
        found = &modules[i];
    }
    if (!found)
        recorder_refuse("the module of its kernel %.100s was not seen", kernel);
    return found;
}

static void count_variable(void *context, const char *name, uint64_t size) {
    (void)name, (void)size;
    ++*(int *)context;
}

/* What its variables held before the calls must be known, or else what the calls do elsewhere is
 * not. */
static void miss_variables(const struct recorder_module *module, const char *why) {
    int count = 0;
    cubin_list_variables(module->image, module->size, count_variable, &count);
    if (count > 0)
        recorder_refuse("what variables of a module hold cannot be read%s", why);
}

uint32_t recorder_number_module(struct recorder_module *module) {
    if (recorder.kept && !module->kept)
        miss_variables(module,
                       ": a recorded call is the first to launch from it: load it in setup");
    if (module->number == RECORDING_NONE) {
        const struct recording_image image = {
            recording_add_bytes(&recorder.writer, module->image, module->size)};
        module->number = recording_add_image(&recorder.writer, &image);
    }
    return module->number;
}

struct variables_of {
    struct recorder_module *module;
    CUmodule handle;
};

/* A variable that the driver does not know by name is the compiler's own. */
static void keep_variable(void *context, const char *name, uint64_t size) {
    const struct variables_of *of = context;
    CUdeviceptr at = 0;
    size_t bytes = 0;
    if (recorder.driver->cuModuleGetGlobal(&at, &bytes, of->handle, name) != CUDA_SUCCESS)
        return;
    unsigned char *held = bytes == size && variable_count < MOST_VARIABLES ? malloc(bytes) : NULL;
    if (held && recorder.driver->cuMemcpyDtoH(held, at, bytes) == CUDA_SUCCESS) {
        struct recording_writer *writer = &recorder.writer;
        const struct recording_variable variable = {
            .image = recorder_number_module(of->module),
            .name = recording_add_bytes(writer, name, strlen(name) + 1),
            .held = recording_add_bytes(writer, held, bytes)};
        variables[variable_count].at = at;
        variables[variable_count].bytes = bytes;
        variables_begin = at < variables_begin ? at : variables_begin;
        variables_end = at + bytes > variables_end ? at + bytes : variables_end;
        variables[variable_count++].number = recording_add_variable(writer, &variable);
    } else {
        recorder_refuse("the variable %.100s of its module cannot be read", name);
    }
    free(held);
}

void recorder_keep_variables_of(struct recorder_module *module, CUfunction function) {
    struct variables_of of = {.module = module};
    if (module->kept)
        return;
    module->kept = true;
    if (function && recorder.driver->cuFuncGetModule(&of.handle, function) == CUDA_SUCCESS)
        cubin_list_variables(module->image, module->size, keep_variable, &of);
    else
        miss_variables(module, ": the driver does not tell which module it is");
}

/* It is asked of every word of the kernel's memory: most lie outside of all variables. */
bool recorder_find_variable(uint64_t address, struct recording_address *where) {
    if (address < variables_begin || address >= variables_end)
        return false;
    for (int i = 0; i < variable_count; i++)
        if (address >= variables[i].at && address - variables[i].at < variables[i].bytes) {
            where->variable = variables[i].number;
            where->offset = address - variables[i].at;
            return true;
        }
    return false;
}
