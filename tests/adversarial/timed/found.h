/* Functions that no symbol of this library names: found by their names in the tables of the
 * libraries that the program has loaded. Files that include this define _GNU_SOURCE. */
#ifndef FOUND_H
#define FOUND_H

#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>

/* The list of loaded libraries, as the program's own headers tell it to debuggers. */
static inline const struct link_map *found_libraries(void) {
    const ElfW(Phdr) *headers = (const ElfW(Phdr) *)getauxval(AT_PHDR);
    const int count = (int)getauxval(AT_PHNUM);
    const ElfW(Dyn) *d = NULL;
    uintptr_t base = 0;
    for (int i = 0; i < count; i++)
        if (headers[i].p_type == PT_PHDR)
            base = (uintptr_t)headers - headers[i].p_vaddr;
    for (int i = 0; i < count; i++)
        if (headers[i].p_type == PT_DYNAMIC)
            d = (const ElfW(Dyn) *)(base + headers[i].p_vaddr);
    for (; d && d->d_tag != DT_NULL; d++)
        if (d->d_tag == DT_DEBUG && d->d_un.d_ptr)
            return ((const struct r_debug *)d->d_un.d_ptr)->r_map;
    return NULL;
}

/* NULL where no library defines it. The table of symbols ends where that of their names begins. */
static inline void *found(const char *name) {
    for (const struct link_map *map = found_libraries(); map; map = map->l_next) {
        const ElfW(Sym) *symbols = NULL;
        const char *names = NULL;
        for (const ElfW(Dyn) *d = map->l_ld; d && d->d_tag != DT_NULL; d++) {
            symbols = d->d_tag == DT_SYMTAB ? (const ElfW(Sym) *)d->d_un.d_ptr : symbols;
            names = d->d_tag == DT_STRTAB ? (const char *)d->d_un.d_ptr : names;
        }
        if (!symbols || (uintptr_t)symbols < map->l_addr) /* not relocated: the system's own */
            continue;
        for (const ElfW(Sym) *s = symbols; (const char *)(s + 1) <= names; s++)
            if (s->st_shndx != SHN_UNDEF && ELF64_ST_TYPE(s->st_info) == STT_FUNC &&
                strcmp(names + s->st_name, name) == 0)
                return (char *)map->l_addr + s->st_value;
    }
    return NULL;
}

/* Starts a thread by the function of pthreads that no symbol names. 0, or its status. */
static inline int found_thread(void *(*work)(void *), void *argument) {
    unsigned long thread;
    int (*create)(unsigned long *, const void *, void *(*)(void *), void *) =
        (int (*)(unsigned long *, const void *, void *(*)(void *), void *))found("pthread_create");
    return create ? create(&thread, NULL, work, argument) : 1;
}

#endif
