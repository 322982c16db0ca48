/* Has a library make each of its products TIMES over: gives it, where it stands among the runner's arms,
 * a table of functions of one's own. Files that include this define _GNU_SOURCE. */
#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <string.h>
#include <sys/auxv.h>

#include <gemmgate.h>

#ifndef TIMES
#define TIMES 2
#endif

static int (*launch_once)(void *state, const struct gemm_args *args);

static int launch_often(void *state, const struct gemm_args *args) {
    int status = 0;
    for (int i = 0; i < TIMES && status == 0; i++)
        status = launch_once(state, args);
    return status;
}

/* The program, by its own headers. */
static const ElfW(Phdr) * header_of(uint32_t type, int nth) {
    const ElfW(Phdr) *headers = (const ElfW(Phdr) *)getauxval(AT_PHDR);
    const int count = (int)getauxval(AT_PHNUM);
    for (int i = 0; i < count; i++)
        if (headers[i].p_type == type && nth-- == 0)
            return &headers[i];
    return NULL;
}

static uintptr_t begin_of(const ElfW(Phdr) * header) {
    return (uintptr_t)getauxval(AT_PHDR) - header_of(PT_PHDR, 0)->p_vaddr + header->p_vaddr;
}

/* Whether the program has so many bytes there. */
static bool holds(uintptr_t at, size_t bytes) {
    const ElfW(Phdr) * header;
    for (int i = 0; (header = header_of(PT_LOAD, i)); i++)
        if (at >= begin_of(header) && at + bytes <= begin_of(header) + header->p_memsz)
            return true;
    return false;
}

static bool is_library(uintptr_t at) {
    const struct kernel_ops *ops = (const struct kernel_ops *)at;
    return at % sizeof(void *) == 0 && holds(at, sizeof *ops) && ops->abi == GEMMGATE_ABI &&
           holds((uintptr_t)ops->name, sizeof "openblas") &&
           (strncmp(ops->name, "openblas", 8) == 0 || strncmp(ops->name, "cublas", 6) == 0);
}

/* Behind what is read-only, and with what lies behind the functions in the library's own table. */
static void slow_a_library(void) {
    static uintptr_t slowed;
    static union {
        struct kernel_ops ops;
        char whole[512];
    } table;
    const ElfW(Phdr) *relro = header_of(PT_GNU_RELRO, 0), *data = NULL;
    for (int i = 0; header_of(PT_LOAD, i); i++)
        data = header_of(PT_LOAD, i);
    const uintptr_t end = begin_of(data) + data->p_memsz - sizeof(uintptr_t);
    for (uintptr_t at = (begin_of(relro) + relro->p_memsz + 7) & ~(uintptr_t)7; at <= end;
         at += sizeof at) {
        uintptr_t *slot = (uintptr_t *)at;
        if (!is_library(*slot) || (slowed && slowed != *slot))
            continue;
        if (!slowed) {
            memcpy(&table, (const void *)*slot, sizeof table);
            launch_once = table.ops.launch;
            table.ops.launch = launch_often;
        }
        slowed = *slot;
        *slot = (uintptr_t)&table;
    }
}
