#include "candidates/build/exports.h"

#include <elf.h>
#include <string.h>

#include "bench/base/files.h"

/* Copies the i-th entry of a table, which need not be aligned. False where it lies outside. */
static bool entry(const struct file_bytes *file, uint64_t offset, uint64_t i, void *to,
                  size_t size) {
    if (i > file->size / size || offset > file->size || (i + 1) * size > file->size - offset)
        return false;
    memcpy(to, (const char *)file->bytes + offset + i * size, size);
    return true;
}

static bool is_named(const struct file_bytes *file, const Elf64_Shdr *strings, uint64_t at,
                     const char *name) {
    const size_t size = strlen(name) + 1;
    return at < strings->sh_size && strings->sh_offset < file->size &&
           at + size <= file->size - strings->sh_offset &&
           memcmp((const char *)file->bytes + strings->sh_offset + at, name, size) == 0;
}

/* In the table of symbols of that section. */
static bool defines(const struct file_bytes *file, const Elf64_Ehdr *header,
                    const Elf64_Shdr *section, const char *name) {
    Elf64_Shdr strings;
    Elf64_Sym symbol;
    if (!entry(file, header->e_shoff, section->sh_link, &strings, sizeof strings))
        return false;
    for (uint64_t i = 0; i < section->sh_size / sizeof symbol &&
                         entry(file, section->sh_offset, i, &symbol, sizeof symbol);
         i++)
        if (symbol.st_shndx != SHN_UNDEF && is_named(file, &strings, symbol.st_name, name))
            return true;
    return false;
}

bool exports_symbol(const char *so, const char *name) {
    struct file_bytes file;
    Elf64_Ehdr header;
    Elf64_Shdr section;
    bool found = false;
    if (file_bytes_read(so, &file) < 0)
        return false;
    if (entry(&file, 0, 0, &header, sizeof header) && memcmp(header.e_ident, ELFMAG, SELFMAG) == 0)
        for (uint64_t i = 0; i < header.e_shnum && !found &&
                             entry(&file, header.e_shoff, i, &section, sizeof section);
             i++)
            found = section.sh_type == SHT_DYNSYM && defines(&file, &header, &section, name);
    file_bytes_free(&file);
    return found;
}
