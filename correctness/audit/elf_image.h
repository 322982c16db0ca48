/* A shared library as the loader will read it: its segments, its dynamic section and what that
 * leads to. The library may be hostile. Functions that return bool return false, after the finding
 * `malformed`, when it makes no sense to go on. */
#ifndef CORRECTNESS_AUDIT_ELF_IMAGE_H
#define CORRECTNESS_AUDIT_ELF_IMAGE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "correctness/audit/finding.h"

#define IMAGE_LOADS 64
#define IMAGE_SYMBOLS 1000000

/* In the order of Elf64_Dyn's tags; a later entry prevails, as with the loader. */
#define IMAGE_TAGS (DT_RELR + 1)

struct image {
    struct finding_list *list;
    const unsigned char *bytes;
    size_t size;

    /* By image_open: */
    Elf64_Ehdr header;
    Elf64_Phdr loads[IMAGE_LOADS];
    size_t load_count;
    Elf64_Phdr dynamic;
    uint64_t dynamic_count; /* entries before the last, which is empty */
    uint64_t tags[IMAGE_TAGS];
    uint64_t gnu_hash;

    /* By image_count_symbols: */
    uint32_t symbol_count; /* of the dynamic table */
    bool cuda;             /* it holds device code */

    /* By those who judge: */
    bool shared_runtime;
};

/* Reads header, segments and dynamic section. */
bool image_open(struct image *image);

/* Reads the names of sections, and counts the symbols that hash tables and relocations know. */
bool image_count_symbols(struct image *image);

/* Notes the finding; returns false. */
bool image_malformed(struct image *image, const char *what);

/* Copies them, since nothing in the file need be aligned. */
bool image_read(const struct image *image, uint64_t offset, void *to, size_t size);

/* The segment that holds all of this memory, or NULL. */
const Elf64_Phdr *image_load(const struct image *image, uint64_t address, uint64_t size);

/* What the file puts at an address, or NULL if not all of it comes from the file. */
const unsigned char *image_at(const struct image *image, uint64_t address, uint64_t size);

/* A string of the dynamic string table, or NULL. */
const char *image_string(const struct image *image, uint64_t offset);

/* False where the dynamic symbol lies outside the file. */
bool image_symbol(const struct image *image, uint32_t i, Elf64_Sym *symbol);

bool image_overlap(uint64_t a, uint64_t a_size, uint64_t b, uint64_t b_size);

/* Whether it has a CUDA runtime linked into it. */
bool image_has_static_runtime(const struct image *image);

/* The type of relocations whose value code chooses when the library is loaded. */
uint32_t image_indirect(const struct image *image);

#endif
