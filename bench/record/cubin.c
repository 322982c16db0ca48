#include "bench/record/cubin.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

#include "bench/base/text.h"

struct image {
    const unsigned char *bytes;
    size_t size;
    Elf64_Ehdr header;
    Elf64_Shdr names;
};

static bool has(const struct image *image, uint64_t at, uint64_t size) {
    return at <= image->size && size <= image->size - at;
}

static bool read_section(const struct image *image, unsigned number, Elf64_Shdr *section) {
    const uint64_t at = image->header.e_shoff + (uint64_t)number * sizeof *section;
    if (number >= image->header.e_shnum || !has(image, at, sizeof *section))
        return false;
    memcpy(section, image->bytes + at, sizeof *section);
    return section->sh_type == SHT_NOBITS || has(image, section->sh_offset, section->sh_size);
}

/* A string of a string table, or NULL. */
static const char *string_of(const struct image *image, const Elf64_Shdr *table, uint64_t at) {
    if (at >= table->sh_size)
        return NULL;
    const char *text = (const char *)image->bytes + table->sh_offset + at;
    return memchr(text, 0, table->sh_size - at) ? text : NULL;
}

static bool open_image(struct image *image, const void *bytes, size_t size) {
    *image = (struct image){.bytes = bytes, .size = size};
    if (size < sizeof image->header)
        return false;
    memcpy(&image->header, bytes, sizeof image->header);
    return memcmp(image->header.e_ident, ELFMAG, SELFMAG) == 0 &&
           image->header.e_ident[EI_CLASS] == ELFCLASS64 &&
           image->header.e_shentsize == sizeof(Elf64_Shdr) && image->header.e_shoff <= size &&
           read_section(image, image->header.e_shstrndx, &image->names) &&
           image->names.sh_type == SHT_STRTAB;
}

/* The section whose name is these two parts. */
static bool find_section(const struct image *image, const char *part, const char *name,
                         Elf64_Shdr *section) {
    for (unsigned i = 0; i < image->header.e_shnum; i++) {
        if (!read_section(image, i, section))
            continue;
        const char *found = string_of(image, &image->names, section->sh_name);
        if (found && text_begins(found, part) && strcmp(found + strlen(part), name) == 0)
            return true;
    }
    return false;
}

bool cubin_is_whole(const void *bytes, size_t size) {
    enum { CUDA = 190 };
    struct image image;
    Elf64_Shdr section;
    if (!open_image(&image, bytes, size) || image.header.e_machine != CUDA ||
        !has(&image, image.header.e_phoff,
             (uint64_t)image.header.e_phnum * image.header.e_phentsize))
        return false;
    for (unsigned i = 0; i < image.header.e_shnum; i++)
        if (!read_section(&image, i, &section))
            return false;
    return true;
}

bool cubin_has_kernel(const void *bytes, size_t size, const char *name) {
    struct image image;
    Elf64_Shdr section;
    return open_image(&image, bytes, size) && find_section(&image, ".text.", name, &section);
}

static bool is_data(const struct image *image, unsigned number) {
    static const char *const names[] = {".nv.global", ".nv.global.init", ".nv.constant3"};
    Elf64_Shdr section;
    if (!read_section(image, number, &section))
        return false;
    const char *name = string_of(image, &image->names, section.sh_name);
    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* The symbols of an image, one by one. */
struct symbols {
    struct image image;
    Elf64_Shdr table, strings;
    uint64_t count, next;
    Elf64_Sym now;
};

static bool open_symbols(struct symbols *symbols, const void *bytes, size_t size) {
    symbols->next = 0;
    if (!open_image(&symbols->image, bytes, size) ||
        !find_section(&symbols->image, ".symtab", "", &symbols->table) ||
        symbols->table.sh_type != SHT_SYMTAB ||
        !read_section(&symbols->image, symbols->table.sh_link, &symbols->strings) ||
        symbols->strings.sh_type != SHT_STRTAB)
        return false;
    symbols->count = symbols->table.sh_size / sizeof(Elf64_Sym);
    return true;
}

/* The name of the next symbol that has one, and the symbol in `now`; NULL behind the last. */
static const char *next_symbol(struct symbols *symbols) {
    const unsigned char *table = symbols->image.bytes + symbols->table.sh_offset;
    const char *name = NULL;
    while (!name && symbols->next < symbols->count) {
        memcpy(&symbols->now, table + symbols->next++ * sizeof symbols->now, sizeof symbols->now);
        name = string_of(&symbols->image, &symbols->strings, symbols->now.st_name);
    }
    return name;
}

/* The compiler's own strings have a dollar sign. */
void cubin_list_variables(const void *bytes, size_t size, cubin_variable *call, void *context) {
    struct symbols symbols;
    const Elf64_Sym *now = &symbols.now;
    const char *name = NULL;
    if (!open_symbols(&symbols, bytes, size))
        return;
    while ((name = next_symbol(&symbols)))
        if (*name && *name != '$' && ELF64_ST_TYPE(now->st_info) == STT_OBJECT &&
            now->st_size > 0 && is_data(&symbols.image, now->st_shndx))
            call(context, name, now->st_size);
}

/* An image that is linked leaves undefined what the device has. */
static bool is_the_devices(const char *name, const Elf64_Sym *symbol) {
    static const char *const names[] = {"vprintf", "malloc", "free"};
    static const char *const beginnings[] = {"__cuda_syscall_cnp", "__cudaCDP", "cudaLaunchDevice",
                                             "cudaGetParameterBuffer"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (text_begins(name, beginnings[i]))
            return true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (symbol->st_shndx == SHN_UNDEF && strcmp(name, names[i]) == 0)
            return true;
    return false;
}

bool cubin_asks_device(const void *bytes, size_t size) {
    struct symbols symbols;
    const char *name = NULL;
    if (!open_symbols(&symbols, bytes, size))
        return false;
    while ((name = next_symbol(&symbols)))
        if (is_the_devices(name, &symbols.now))
            return true;
    return false;
}
