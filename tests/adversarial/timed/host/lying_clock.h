/* A clock put in place of the one that the runner imports: it leaves out three quarters of what the
 * product takes. Files that include this define _GNU_SOURCE. */
#ifndef LYING_CLOCK_H
#define LYING_CLOCK_H

#include <elf.h>
#include <link.h>
#include <string.h>
#include <time.h>

#include "../../kernel.h"

static int64_t left_out; /* nanoseconds */

static inline int64_t true_now(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static inline int lying_clock(clockid_t clock, struct timespec *now) {
    const int64_t t = true_now(clock) - left_out;
    *now = (struct timespec){.tv_sec = t / 1000000000, .tv_nsec = t % 1000000000};
    return 0;
}

static inline int lying_product(void *state, const struct gemm_args *args) {
    const int64_t start = true_now(CLOCK_MONOTONIC_RAW);
    slow_product(state, args);
    left_out += (true_now(CLOCK_MONOTONIC_RAW) - start) / 4 * 3;
    return 0;
}

/* Where a program, by its headers, keeps the address of clock_gettime; NULL if nowhere. */
static inline void **clock_slot(const ElfW(Phdr) * headers, int count) {
    const ElfW(Dyn) *d = NULL;
    uintptr_t base = 0, tags[DT_JMPREL + 1] = {0};
    for (int i = 0; i < count; i++)
        if (headers[i].p_type == PT_PHDR)
            base = (uintptr_t)headers - headers[i].p_vaddr;
    for (int i = 0; i < count; i++)
        if (headers[i].p_type == PT_DYNAMIC)
            d = (const ElfW(Dyn) *)(base + headers[i].p_vaddr);
    for (; d && d->d_tag != DT_NULL; d++)
        if (d->d_tag > 0 && d->d_tag <= DT_JMPREL)
            tags[d->d_tag] = d->d_un.d_val; /* addresses: the loader has added the base */
    const uintptr_t tables[] = {tags[DT_JMPREL], tags[DT_RELA]};
    const uintptr_t sizes[] = {tags[DT_PLTRELSZ], tags[DT_RELASZ]};
    for (int i = 0; i < 2; i++)
        for (const ElfW(Rela) *r = (const void *)tables[i]; (uintptr_t)r < tables[i] + sizes[i];
             r++) {
            const ElfW(Sym) *s = (const ElfW(Sym) *)tags[DT_SYMTAB] + ELF64_R_SYM(r->r_info);
            if (strcmp((const char *)tags[DT_STRTAB] + s->st_name, "clock_gettime") == 0)
                return (void **)(base + r->r_offset);
        }
    return NULL;
}

#endif
