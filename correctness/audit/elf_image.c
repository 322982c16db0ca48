#include "correctness/audit/elf_image.h"

#include <inttypes.h>
#include <string.h>

#define PAGE 4096
#define MOST_NAME 4096

bool image_malformed(struct image *image, const char *what) {
    finding_add(image->list, FINDING_MALFORMED, "%s", what);
    return false;
}

/* Whether the file has these bytes. */
static bool image_has(const struct image *image, uint64_t offset, uint64_t size) {
    return offset <= image->size && size <= image->size - offset;
}

bool image_read(const struct image *image, uint64_t offset, void *to, size_t size) {
    if (!image_has(image, offset, size))
        return false;
    memcpy(to, image->bytes + offset, size);
    return true;
}

const Elf64_Phdr *image_load(const struct image *image, uint64_t address, uint64_t size) {
    for (size_t i = 0; i < image->load_count; i++) {
        const Elf64_Phdr *load = &image->loads[i];
        if (address >= load->p_vaddr && address - load->p_vaddr <= load->p_memsz &&
            size <= load->p_memsz - (address - load->p_vaddr))
            return load;
    }
    return NULL;
}

const unsigned char *image_at(const struct image *image, uint64_t address, uint64_t size) {
    const Elf64_Phdr *load = image_load(image, address, size);
    if (!load || address - load->p_vaddr > load->p_filesz ||
        size > load->p_filesz - (address - load->p_vaddr))
        return NULL;
    return image->bytes + load->p_offset + (address - load->p_vaddr);
}

static uint32_t word_at(const unsigned char *words, uint64_t i) {
    uint32_t word;
    memcpy(&word, words + 4 * i, sizeof word);
    return word;
}

static bool read_header(struct image *image) {
    Elf64_Ehdr *h = &image->header;
    if (!image_read(image, 0, h, sizeof *h) || memcmp(h->e_ident, ELFMAG, SELFMAG) != 0)
        return image_malformed(image, "it is no ELF file");
    if (h->e_ident[EI_CLASS] != ELFCLASS64 || h->e_ident[EI_DATA] != ELFDATA2LSB ||
        h->e_ident[EI_VERSION] != EV_CURRENT || h->e_type != ET_DYN)
        return image_malformed(image, "it is no shared library of 64 bits, little-endian");
    if (h->e_machine != EM_X86_64 && h->e_machine != EM_AARCH64)
        return image_malformed(image, "it is for another machine");
    if (h->e_phentsize != sizeof(Elf64_Phdr) ||
        !image_has(image, h->e_phoff, (uint64_t)h->e_phnum * sizeof(Elf64_Phdr)))
        return image_malformed(image, "its program headers lie outside the file");
    return true;
}

/* Segments may not share a page: which of the two the page shows depends on the loader. */
static bool add_load(struct image *image, const Elf64_Phdr *p) {
    if (image->load_count == IMAGE_LOADS)
        return image_malformed(image, "it has too many segments");
    if (!image_has(image, p->p_offset, p->p_filesz) || p->p_filesz > p->p_memsz ||
        p->p_memsz > UINT64_MAX / 4 || p->p_vaddr > UINT64_MAX / 4 ||
        p->p_vaddr % PAGE != p->p_offset % PAGE)
        return image_malformed(image, "a segment lies outside the file");
    if (image->load_count > 0) {
        const Elf64_Phdr *last = &image->loads[image->load_count - 1];
        if (p->p_vaddr / PAGE < (last->p_vaddr + last->p_memsz + PAGE - 1) / PAGE)
            return image_malformed(image, "its segments overlap");
    }
    if ((p->p_flags & PF_W) && (p->p_flags & PF_X))
        finding_add(image->list, FINDING_WRITABLE_CODE, "the segment at 0x%" PRIx64, p->p_vaddr);
    image->loads[image->load_count++] = *p;
    return true;
}

static bool read_segments(struct image *image) {
    int dynamics = 0, stacks = 0;
    for (unsigned i = 0; i < image->header.e_phnum; i++) {
        Elf64_Phdr p = {0};
        image_read(image, image->header.e_phoff + i * sizeof p, &p, sizeof p);
        if (p.p_type == PT_LOAD && !add_load(image, &p))
            return false;
        if (p.p_type == PT_DYNAMIC && dynamics++ == 0)
            image->dynamic = p;
        if (p.p_type == PT_GNU_STACK && stacks++ == 0 && (p.p_flags & PF_X))
            finding_add(image->list, FINDING_WRITABLE_CODE, "it asks for an executable stack");
    }
    if (stacks == 0)
        finding_add(image->list, FINDING_WRITABLE_CODE,
                    "it does not say that its stack is not executable");
    if (dynamics != 1 || stacks > 1)
        return image_malformed(image, "it has not one dynamic section and one word on the stack");
    return true;
}

const char *image_string(const struct image *image, uint64_t offset) {
    const uint64_t size = image->tags[DT_STRSZ];
    const unsigned char *strings = image_at(image, image->tags[DT_STRTAB], size);
    if (!strings || offset >= size)
        return NULL;
    const uint64_t most = size - offset < MOST_NAME ? size - offset : MOST_NAME;
    return memchr(strings + offset, 0, most) ? (const char *)strings + offset : NULL;
}

static bool read_dynamic(struct image *image) {
    const uint64_t most = image->dynamic.p_memsz / sizeof(Elf64_Dyn);
    const unsigned char *entries =
        image_at(image, image->dynamic.p_vaddr, most * sizeof(Elf64_Dyn));
    uint64_t count = 0;
    Elf64_Dyn d;
    if (!entries)
        return image_malformed(image, "its dynamic section lies outside the file");
    for (;; count++) {
        if (count == most)
            return image_malformed(image, "its dynamic section has no end");
        memcpy(&d, entries + count * sizeof d, sizeof d);
        if (d.d_tag == DT_NULL)
            break;
        if (d.d_tag > 0 && d.d_tag < IMAGE_TAGS)
            image->tags[d.d_tag] = d.d_un.d_val;
        else if (d.d_tag == DT_GNU_HASH)
            image->gnu_hash = d.d_un.d_val;
    }
    const uint64_t *tags = image->tags;
    if (!image_at(image, tags[DT_STRTAB], tags[DT_STRSZ]) || tags[DT_STRSZ] == 0)
        return image_malformed(image, "its strings lie outside the file");
    if (tags[DT_SYMENT] != sizeof(Elf64_Sym) ||
        (tags[DT_RELA] && tags[DT_RELAENT] != sizeof(Elf64_Rela)) || tags[DT_REL] ||
        (tags[DT_JMPREL] && tags[DT_PLTREL] != DT_RELA) ||
        (tags[DT_RELR] && tags[DT_RELRENT] != sizeof(Elf64_Relr)))
        return image_malformed(image, "its tables have entries of an unknown size");
    image->dynamic_count = count;
    return true;
}

/* A hash table's own idea of how many symbols there are. */
static bool count_hashed(struct image *image) {
    if (image->tags[DT_HASH]) {
        const unsigned char *table = image_at(image, image->tags[DT_HASH], 8);
        if (!table)
            return image_malformed(image, "its hash table lies outside the file");
        image->symbol_count = word_at(table, 1);
    }
    if (!image->gnu_hash)
        return true;
    const unsigned char *head = image_at(image, image->gnu_hash, 16);
    if (!head)
        return image_malformed(image, "its hash table lies outside the file");
    const uint32_t buckets = word_at(head, 0), first = word_at(head, 1), filters = word_at(head, 2);
    const uint64_t at_buckets = image->gnu_hash + 16 + 8 * (uint64_t)filters;
    const unsigned char *bucket = image_at(image, at_buckets, 4 * (uint64_t)buckets), *link;
    uint32_t last = 0;
    if (!bucket)
        return image_malformed(image, "its hash table lies outside the file");
    for (uint32_t i = 0; i < buckets; i++)
        if (word_at(bucket, i) > last)
            last = word_at(bucket, i);
    if (last == 0) {
        last = first;
    } else {
        if (last < first)
            return image_malformed(image, "its hash table is out of order");
        do {
            link = image_at(image, at_buckets + 4 * ((uint64_t)buckets + (last - first)), 4);
            if (!link || last == IMAGE_SYMBOLS)
                return image_malformed(image, "its hash table lies outside the file");
            last++;
        } while (!(word_at(link, 0) & 1));
    }
    if (last > image->symbol_count)
        image->symbol_count = last;
    return true;
}

bool image_symbol(const struct image *image, uint32_t i, Elf64_Sym *symbol) {
    const unsigned char *from =
        image_at(image, image->tags[DT_SYMTAB] + (uint64_t)i * sizeof *symbol, sizeof *symbol);
    if (from)
        memcpy(symbol, from, sizeof *symbol);
    return from;
}

bool image_overlap(uint64_t a, uint64_t a_size, uint64_t b, uint64_t b_size) {
    return a < b + b_size && b < a + a_size;
}

uint32_t image_indirect(const struct image *image) {
    return image->header.e_machine == EM_X86_64 ? R_X86_64_IRELATIVE : R_AARCH64_IRELATIVE;
}

/* Symbols that no hash table lists are reached by number. Counted before targets are judged, lest a
 * relocation change one. */
static bool count_relocated(struct image *image, uint64_t table, uint64_t size) {
    const unsigned char *entries = image_at(image, table, size);
    if (size == 0)
        return true;
    if (!entries || size % sizeof(Elf64_Rela) != 0)
        return image_malformed(image, "its relocations lie outside the file");
    for (uint64_t i = 0; i < size / sizeof(Elf64_Rela); i++) {
        Elf64_Rela r;
        memcpy(&r, entries + i * sizeof r, sizeof r);
        if (ELF64_R_SYM(r.r_info) >= IMAGE_SYMBOLS)
            return image_malformed(image, "a relocation names no symbol");
        if (ELF64_R_SYM(r.r_info) >= image->symbol_count)
            image->symbol_count = (uint32_t)ELF64_R_SYM(r.r_info) + 1;
    }
    return true;
}

bool image_has_static_runtime(const struct image *image) {
    return image->cuda && !image->shared_runtime;
}

/* The loader never looks here. */
static void read_sections(struct image *image) {
    const Elf64_Ehdr *h = &image->header;
    Elf64_Shdr s = {0}, words = {0};
    if (h->e_shoff == 0 || h->e_shentsize != sizeof s ||
        !image_has(image, h->e_shoff, (uint64_t)h->e_shnum * sizeof s) ||
        h->e_shstrndx >= h->e_shnum)
        return;
    image_read(image, h->e_shoff + h->e_shstrndx * sizeof s, &words, sizeof words);
    for (unsigned i = 0; i < h->e_shnum; i++) {
        static const char fatbin[] = ".nv_fatbin";
        char name[sizeof fatbin];
        image_read(image, h->e_shoff + i * sizeof s, &s, sizeof s);
        if (image_has(image, words.sh_offset, words.sh_size) && s.sh_name < words.sh_size &&
            image_read(image, words.sh_offset + s.sh_name, name, sizeof name) &&
            memcmp(name, fatbin, sizeof fatbin) == 0)
            image->cuda = true;
    }
}

bool image_open(struct image *image) {
    return read_header(image) && read_segments(image) && read_dynamic(image);
}

bool image_count_symbols(struct image *image) {
    const uint64_t *tags = image->tags;
    read_sections(image);
    return count_hashed(image) && count_relocated(image, tags[DT_RELA], tags[DT_RELASZ]) &&
           count_relocated(image, tags[DT_JMPREL], tags[DT_PLTRELSZ]);
}
