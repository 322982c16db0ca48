#include "correctness/audit/static_audit.h"

#include <elf.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "correctness/audit/symbol_rules.h"

#define PAGE 4096
#define MOST_LOADS 64
#define MOST_SYMBOLS 1000000
#define MOST_CONSTRUCTORS 64
#define MOST_NAME 4096

/* In the order of Elf64_Dyn's tags; a later entry prevails, as with the loader. */
#define TAGS (DT_RELR + 1)

struct constructor {
    uint64_t address;
    uint32_t symbol; /* of the dynamic table; 0: none */
};

struct image {
    struct finding_list *list;
    const unsigned char *bytes;
    size_t size;
    Elf64_Ehdr header;
    Elf64_Phdr loads[MOST_LOADS];
    size_t load_count;
    Elf64_Phdr dynamic;
    uint64_t tags[TAGS];
    uint64_t gnu_hash;
    uint32_t symbol_count; /* of the dynamic table */
    bool cuda;             /* it holds device code */
    bool shared_runtime;
    Elf64_Shdr names, name_strings; /* .symtab and its strings; zero where stripped */
    struct constructor constructors[MOST_CONSTRUCTORS];
};

/* Every function that returns bool returns whether there is sense in going on. */
static bool malformed(struct image *image, const char *what) {
    finding_add(image->list, FINDING_MALFORMED, "%s", what);
    return false;
}

static bool in_file(const struct image *image, uint64_t offset, uint64_t size) {
    return offset <= image->size && size <= image->size - offset;
}

/* Copies, since nothing in the file need be aligned. */
static bool read_file(const struct image *image, uint64_t offset, void *to, size_t size) {
    if (!in_file(image, offset, size))
        return false;
    memcpy(to, image->bytes + offset, size);
    return true;
}

static const Elf64_Phdr *load_of(const struct image *image, uint64_t address, uint64_t size) {
    for (size_t i = 0; i < image->load_count; i++) {
        const Elf64_Phdr *load = &image->loads[i];
        if (address >= load->p_vaddr && address - load->p_vaddr <= load->p_memsz &&
            size <= load->p_memsz - (address - load->p_vaddr))
            return load;
    }
    return NULL;
}

/* What the file puts at an address, or NULL if not all of it comes from the file. */
static const unsigned char *at(const struct image *image, uint64_t address, uint64_t size) {
    const Elf64_Phdr *load = load_of(image, address, size);
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
    if (!read_file(image, 0, h, sizeof *h) || memcmp(h->e_ident, ELFMAG, SELFMAG) != 0)
        return malformed(image, "it is no ELF file");
    if (h->e_ident[EI_CLASS] != ELFCLASS64 || h->e_ident[EI_DATA] != ELFDATA2LSB ||
        h->e_ident[EI_VERSION] != EV_CURRENT || h->e_type != ET_DYN)
        return malformed(image, "it is no shared library of 64 bits, little-endian");
    if (h->e_machine != EM_X86_64 && h->e_machine != EM_AARCH64)
        return malformed(image, "it is for another machine");
    if (h->e_phentsize != sizeof(Elf64_Phdr) ||
        !in_file(image, h->e_phoff, (uint64_t)h->e_phnum * sizeof(Elf64_Phdr)))
        return malformed(image, "its program headers lie outside the file");
    return true;
}

/* Segments may not share a page: which of the two the page shows depends on the loader. */
static bool add_load(struct image *image, const Elf64_Phdr *p) {
    if (image->load_count == MOST_LOADS)
        return malformed(image, "it has too many segments");
    if (!in_file(image, p->p_offset, p->p_filesz) || p->p_filesz > p->p_memsz ||
        p->p_memsz > UINT64_MAX / 4 || p->p_vaddr > UINT64_MAX / 4 ||
        p->p_vaddr % PAGE != p->p_offset % PAGE)
        return malformed(image, "a segment lies outside the file");
    if (image->load_count > 0) {
        const Elf64_Phdr *last = &image->loads[image->load_count - 1];
        if (p->p_vaddr / PAGE < (last->p_vaddr + last->p_memsz + PAGE - 1) / PAGE)
            return malformed(image, "its segments overlap");
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
        read_file(image, image->header.e_phoff + i * sizeof p, &p, sizeof p);
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
        return malformed(image, "it has not one dynamic section and one word on the stack");
    return true;
}

/* A string of the dynamic string table, or NULL. */
static const char *string_of(const struct image *image, uint64_t offset) {
    const uint64_t size = image->tags[DT_STRSZ];
    const unsigned char *strings = at(image, image->tags[DT_STRTAB], size);
    if (!strings || offset >= size)
        return NULL;
    const uint64_t most = size - offset < MOST_NAME ? size - offset : MOST_NAME;
    return memchr(strings + offset, 0, most) ? (const char *)strings + offset : NULL;
}

static void judge_needed(struct image *image, const char *name) {
    static const char usual[] = "libc.so.6 libm.so.6 libmvec.so.1 libstdc++.so.6 libgcc_s.so.1 "
                                "libpthread.so.0 librt.so.1 libdl.so.2 libcuda.so.1 "
                                "ld-linux-x86-64.so.2 ld-linux-aarch64.so.1";
    if (symbol_in("libcudart.so.11.0 libcudart.so.12 libcudart.so.13", name))
        image->shared_runtime = true;
    else if (symbol_in("libgomp.so.1 libomp.so.5 libiomp5.so", name))
        finding_add(image->list, FINDING_WORKER_POOL, "%s", name);
    else if (symbol_in("libcublas* libcudnn* libcusparse* libcusolver* libcutensor* libopenblas* "
                       "libblas* libcblas* libmkl* libtorch* libc10*",
                       name))
        finding_add(image->list, FINDING_LIBRARY_GEMM, "%s", name);
    else if (!symbol_in(usual, name))
        finding_add(image->list, FINDING_NEEDED_LIBRARY, "%s", name);
}

/* An entry that is judged by itself; strings are there once every tag is known. */
static bool judge_dynamic(struct image *image, const Elf64_Dyn *d) {
    const char *name = "";
    if (d->d_tag == DT_NEEDED || d->d_tag == DT_RPATH || d->d_tag == DT_RUNPATH ||
        d->d_tag == DT_AUXILIARY || d->d_tag == DT_FILTER || d->d_tag == DT_AUDIT ||
        d->d_tag == DT_DEPAUDIT) {
        name = string_of(image, d->d_un.d_val);
        if (!name)
            return malformed(image, "the name of a needed library lies outside its strings");
    }
    switch (d->d_tag) {
    case DT_NEEDED:
        judge_needed(image, name);
        break;
    case DT_RPATH:
    case DT_RUNPATH:
        finding_add(image->list, FINDING_SEARCH_PATH, "%s", name);
        break;
    case DT_AUXILIARY:
    case DT_FILTER:
    case DT_AUDIT:
    case DT_DEPAUDIT:
        finding_add(image->list, FINDING_NEEDED_LIBRARY, "%s, to stand in for this one", name);
        break;
    case DT_TEXTREL:
        finding_add(image->list, FINDING_TEXT_RELOCATION, "DT_TEXTREL");
        break;
    case DT_FLAGS:
        if (d->d_un.d_val & DF_TEXTREL)
            finding_add(image->list, FINDING_TEXT_RELOCATION, "DF_TEXTREL");
        break;
    case DT_FLAGS_1:
        if (d->d_un.d_val & (DF_1_GLOBAL | DF_1_INTERPOSE))
            finding_add(image->list, FINDING_HARNESS_SHADOW,
                        "it asks that its symbols serve other libraries");
        break;
    }
    return true;
}

static bool read_dynamic(struct image *image) {
    const uint64_t most = image->dynamic.p_memsz / sizeof(Elf64_Dyn);
    const unsigned char *entries = at(image, image->dynamic.p_vaddr, most * sizeof(Elf64_Dyn));
    uint64_t count = 0;
    Elf64_Dyn d;
    if (!entries)
        return malformed(image, "its dynamic section lies outside the file");
    for (;; count++) {
        if (count == most)
            return malformed(image, "its dynamic section has no end");
        memcpy(&d, entries + count * sizeof d, sizeof d);
        if (d.d_tag == DT_NULL)
            break;
        if (d.d_tag > 0 && d.d_tag < TAGS)
            image->tags[d.d_tag] = d.d_un.d_val;
        else if (d.d_tag == DT_GNU_HASH)
            image->gnu_hash = d.d_un.d_val;
    }
    const uint64_t *tags = image->tags;
    if (!at(image, tags[DT_STRTAB], tags[DT_STRSZ]) || tags[DT_STRSZ] == 0)
        return malformed(image, "its strings lie outside the file");
    if (tags[DT_SYMENT] != sizeof(Elf64_Sym) ||
        (tags[DT_RELA] && tags[DT_RELAENT] != sizeof(Elf64_Rela)) || tags[DT_REL] ||
        (tags[DT_JMPREL] && tags[DT_PLTREL] != DT_RELA) ||
        (tags[DT_RELR] && tags[DT_RELRENT] != sizeof(Elf64_Relr)))
        return malformed(image, "its tables have entries of an unknown size");
    for (uint64_t i = 0; i < count; i++) {
        memcpy(&d, entries + i * sizeof d, sizeof d);
        if (!judge_dynamic(image, &d))
            return false;
    }
    return true;
}

/* A hash table's own idea of how many symbols there are. */
static bool count_hashed(struct image *image) {
    if (image->tags[DT_HASH]) {
        const unsigned char *table = at(image, image->tags[DT_HASH], 8);
        if (!table)
            return malformed(image, "its hash table lies outside the file");
        image->symbol_count = word_at(table, 1);
    }
    if (!image->gnu_hash)
        return true;
    const unsigned char *head = at(image, image->gnu_hash, 16);
    if (!head)
        return malformed(image, "its hash table lies outside the file");
    const uint32_t buckets = word_at(head, 0), first = word_at(head, 1), filters = word_at(head, 2);
    const uint64_t at_buckets = image->gnu_hash + 16 + 8 * (uint64_t)filters;
    const unsigned char *bucket = at(image, at_buckets, 4 * (uint64_t)buckets), *link;
    uint32_t last = 0;
    if (!bucket)
        return malformed(image, "its hash table lies outside the file");
    for (uint32_t i = 0; i < buckets; i++)
        if (word_at(bucket, i) > last)
            last = word_at(bucket, i);
    if (last == 0) {
        last = first;
    } else {
        if (last < first)
            return malformed(image, "its hash table is out of order");
        do {
            link = at(image, at_buckets + 4 * ((uint64_t)buckets + (last - first)), 4);
            if (!link || last == MOST_SYMBOLS)
                return malformed(image, "its hash table lies outside the file");
            last++;
        } while (!(word_at(link, 0) & 1));
    }
    if (last > image->symbol_count)
        image->symbol_count = last;
    return true;
}

static bool symbol_at(const struct image *image, uint32_t i, Elf64_Sym *symbol) {
    const unsigned char *from =
        at(image, image->tags[DT_SYMTAB] + (uint64_t)i * sizeof *symbol, sizeof *symbol);
    if (from)
        memcpy(symbol, from, sizeof *symbol);
    return from;
}

static bool overlaps(uint64_t a, uint64_t a_size, uint64_t b, uint64_t b_size) {
    return a < b + b_size && b < a + a_size;
}

/* Where the loader writes: into writable memory of the library, and not into what it reads by. */
static bool judge_target(struct image *image, uint64_t target) {
    const uint64_t *tags = image->tags;
    const Elf64_Phdr *load = load_of(image, target, 8);
    if (!load)
        return malformed(image, "a relocation reaches outside the library");
    if (!(load->p_flags & PF_W) && image->list->seen[FINDING_TEXT_RELOCATION] == 0)
        finding_add(image->list, FINDING_TEXT_RELOCATION, "at 0x%" PRIx64, target);
    if (overlaps(target, 8, tags[DT_STRTAB], tags[DT_STRSZ]) ||
        overlaps(target, 8, tags[DT_SYMTAB], image->symbol_count * sizeof(Elf64_Sym)) ||
        overlaps(target, 8, tags[DT_RELA], tags[DT_RELASZ]) ||
        overlaps(target, 8, tags[DT_JMPREL], tags[DT_PLTRELSZ]) ||
        overlaps(target, 8, image->dynamic.p_vaddr, image->dynamic.p_memsz))
        return malformed(image, "a relocation changes the tables of the loader");
    return true;
}

/* Relocations by machine. */
struct types {
    uint32_t relative, absolute, indirect;
};

static const struct types *types_of(const struct image *image) {
    static const struct types x86 = {R_X86_64_RELATIVE, R_X86_64_64, R_X86_64_IRELATIVE};
    static const struct types arm = {R_AARCH64_RELATIVE, R_AARCH64_ABS64, R_AARCH64_IRELATIVE};
    return image->header.e_machine == EM_X86_64 ? &x86 : &arm;
}

/* A relocated word may be a constructor's address; the last that writes it counts. */
static bool note_constructor(struct image *image, const Elf64_Rela *r) {
    const uint64_t first = image->tags[DT_INIT_ARRAY];
    const uint32_t type = ELF64_R_TYPE(r->r_info);
    if (!overlaps(r->r_offset, 8, first, image->tags[DT_INIT_ARRAYSZ]))
        return true;
    if (r->r_offset < first || (r->r_offset - first) % 8 != 0 ||
        (type != types_of(image)->relative && type != types_of(image)->absolute))
        return malformed(image, "a relocation changes a part of a constructor's address");
    const uint64_t slot = (r->r_offset - first) / 8;
    if (slot < MOST_CONSTRUCTORS)
        image->constructors[slot] =
            (struct constructor){(uint64_t)r->r_addend, (uint32_t)ELF64_R_SYM(r->r_info)};
    return true;
}

/* Symbols that no hash table lists are reached by number. Counted before targets are judged, lest a
 * relocation change one. */
static bool count_relocated(struct image *image, uint64_t table, uint64_t size) {
    const unsigned char *entries = at(image, table, size);
    if (size == 0)
        return true;
    if (!entries || size % sizeof(Elf64_Rela) != 0)
        return malformed(image, "its relocations lie outside the file");
    for (uint64_t i = 0; i < size / sizeof(Elf64_Rela); i++) {
        Elf64_Rela r;
        memcpy(&r, entries + i * sizeof r, sizeof r);
        if (ELF64_R_SYM(r.r_info) >= MOST_SYMBOLS)
            return malformed(image, "a relocation names no symbol");
        if (ELF64_R_SYM(r.r_info) >= image->symbol_count)
            image->symbol_count = (uint32_t)ELF64_R_SYM(r.r_info) + 1;
    }
    return true;
}

static bool judge_relocations(struct image *image, uint64_t table, uint64_t size) {
    const unsigned char *entries = at(image, table, size);
    for (uint64_t i = 0; i < size / sizeof(Elf64_Rela); i++) {
        Elf64_Rela r;
        memcpy(&r, entries + i * sizeof r, sizeof r);
        if (ELF64_R_TYPE(r.r_info) == 0) /* R_*_NONE */
            continue;
        if (ELF64_R_TYPE(r.r_info) == types_of(image)->indirect)
            finding_add(image->list, FINDING_IFUNC, "a resolver at 0x%" PRIx64,
                        (uint64_t)r.r_addend);
        if (!judge_target(image, r.r_offset) || !note_constructor(image, &r))
            return false;
    }
    return true;
}

/* Addresses and bitmaps of words that follow them; what they hold is already in the file. */
static bool judge_relative(struct image *image) {
    const uint64_t size = image->tags[DT_RELRSZ];
    const unsigned char *words = at(image, image->tags[DT_RELR], size);
    uint64_t where = 0;
    if (!image->tags[DT_RELR])
        return true;
    if (!words || size % 8 != 0)
        return malformed(image, "its relocations lie outside the file");
    for (uint64_t i = 0; i < size / 8; i++) {
        uint64_t word;
        memcpy(&word, words + 8 * i, 8);
        if (!(word & 1)) {
            if (!judge_target(image, word))
                return false;
            where = word + 8;
            continue;
        }
        for (unsigned bit = 1; bit < 64; bit++)
            if ((word >> bit & 1) && !judge_target(image, where + 8 * (bit - 1)))
                return false;
        where += 8 * 63;
    }
    return true;
}

static bool has_static_runtime(const struct image *image) {
    return image->cuda && !image->shared_runtime;
}

static void judge_undefined(struct image *image, const char *name) {
    const struct symbol_rule *rule = symbol_rule_of(name);
    if (has_static_runtime(image) && symbol_in(symbols_of_static_runtime, name))
        return;
    if (!rule)
        finding_add(image->list, FINDING_UNEXPECTED_SYMBOL, "%s", name);
    else if (!rule->allowed)
        finding_add(image->list, rule->kind, "%s: %s", name, rule->reason);
}

/* The loader looks in the program first: a library's own dlopen is the program's. Templates of C++
 * are everyone's to define, and are judged as what they are for. */
static void judge_defined(struct image *image, const char *name) {
    const struct symbol_rule *rule = symbol_rule_of(name);
    if (symbol_of_harness(name))
        finding_add(image->list, FINDING_HARNESS_SHADOW, "%s", name);
    else if (rule && !rule->allowed && strncmp(name, "_Z", 2) == 0)
        finding_add(image->list, rule->kind, "%s: %s", name, rule->reason);
}

static bool judge_symbols(struct image *image) {
    if (image->symbol_count > MOST_SYMBOLS)
        return malformed(image, "it has too many symbols");
    for (uint32_t i = 1; i < image->symbol_count; i++) {
        Elf64_Sym symbol;
        if (!symbol_at(image, i, &symbol))
            return malformed(image, "its symbols lie outside the file");
        const char *name = string_of(image, symbol.st_name);
        if (!name)
            return malformed(image, "the name of a symbol lies outside its strings");
        if (symbol.st_shndx == SHN_UNDEF) {
            if (*name)
                judge_undefined(image, name);
            continue;
        }
        if (ELF64_ST_TYPE(symbol.st_info) == STT_GNU_IFUNC)
            finding_add(image->list, FINDING_IFUNC, "%s", name);
        if (ELF64_ST_BIND(symbol.st_info) != STB_LOCAL)
            judge_defined(image, name);
    }
    return true;
}

/* The loader never looks here; what is wrong here costs names, and so makes findings. */
static void read_sections(struct image *image) {
    const Elf64_Ehdr *h = &image->header;
    Elf64_Shdr s = {0}, words = {0};
    if (h->e_shoff == 0 || h->e_shentsize != sizeof s ||
        !in_file(image, h->e_shoff, (uint64_t)h->e_shnum * sizeof s) || h->e_shstrndx >= h->e_shnum)
        return;
    read_file(image, h->e_shoff + h->e_shstrndx * sizeof s, &words, sizeof words);
    for (unsigned i = 0; i < h->e_shnum; i++) {
        static const char fatbin[] = ".nv_fatbin";
        char name[sizeof fatbin];
        read_file(image, h->e_shoff + i * sizeof s, &s, sizeof s);
        if (in_file(image, words.sh_offset, words.sh_size) && s.sh_name < words.sh_size &&
            read_file(image, words.sh_offset + s.sh_name, name, sizeof name) &&
            memcmp(name, fatbin, sizeof fatbin) == 0)
            image->cuda = true;
        if (s.sh_type != SHT_SYMTAB || s.sh_link >= h->e_shnum ||
            !in_file(image, s.sh_offset, s.sh_size))
            continue;
        Elf64_Shdr strings = {0};
        read_file(image, h->e_shoff + s.sh_link * sizeof s, &strings, sizeof strings);
        if (!in_file(image, strings.sh_offset, strings.sh_size))
            continue;
        image->names = s;
        image->name_strings = strings;
    }
}

/* Functions that compilers and their libraries have run when a library is loaded. */
static const char *const known_constructors[] = {
    "_init",                          /* crti.o, for profilers */
    "frame_dummy",                    /* crtbegin.o, for transactional memory */
    "_ZL24__sti____cudaRegisterAllv", /* nvcc: hands device code to the runtime */
    "__cpu_indicator_init",           /* libgcc: __builtin_cpu_supports */
    "init_have_lse_atomics",          /* libgcc for AArch64 */
};
#define KNOWN_CONSTRUCTORS (sizeof known_constructors / sizeof *known_constructors)

/* The name of the function at an address: the first that is not well known, since a symbol table
 * may give one function several. "" if there is none. */
static const char *function_at(const struct image *image, uint64_t address) {
    const char *best = "";
    const unsigned char *strings = image->bytes + image->name_strings.sh_offset;
    for (uint64_t i = 0; i < image->names.sh_size / sizeof(Elf64_Sym); i++) {
        Elf64_Sym symbol;
        read_file(image, image->names.sh_offset + i * sizeof symbol, &symbol, sizeof symbol);
        if (symbol.st_value != address || ELF64_ST_TYPE(symbol.st_info) != STT_FUNC ||
            symbol.st_name >= image->name_strings.sh_size ||
            !memchr(strings + symbol.st_name, 0, image->name_strings.sh_size - symbol.st_name))
            continue;
        best = (const char *)strings + symbol.st_name;
        bool known = false;
        for (size_t k = 0; k < KNOWN_CONSTRUCTORS; k++)
            known |= strcmp(best, known_constructors[k]) == 0;
        if (!known)
            break;
    }
    return best;
}

/* What crti.o and crtn.o make of DT_INIT on x86-64 ends with this and lacks nothing but an endbr64
 * and the distance to a table: if (__gmon_start__) __gmon_start__(); */
static bool is_plain_init(const struct image *image, uint64_t address) {
    static const unsigned char head[] = {0x48, 0x83, 0xec, 0x08, 0x48, 0x8b, 0x05};
    static const unsigned char tail[] = {0x48, 0x85, 0xc0, 0x74, 0x02, 0xff,
                                         0xd0, 0x48, 0x83, 0xc4, 0x08, 0xc3};
    static const unsigned char endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
    const unsigned char *code = at(image, address, sizeof endbr64);
    if (code && memcmp(code, endbr64, sizeof endbr64) == 0)
        address += sizeof endbr64;
    code = at(image, address, sizeof head + 4 + sizeof tail);
    return code && memcmp(code, head, sizeof head) == 0 &&
           memcmp(code + sizeof head + 4, tail, sizeof tail) == 0;
}

static void judge_constructor(struct image *image, uint64_t address, bool used[]) {
    const char *name = function_at(image, address);
    if (strncmp(name, "_GLOBAL__sub_I", 14) == 0) {
        finding_add(image->list, FINDING_STATIC_INIT, "%s", name);
        return;
    }
    if (has_static_runtime(image) && strncmp(name, "libcudart_static_", 17) == 0)
        return;
    for (size_t k = 0; k < KNOWN_CONSTRUCTORS; k++)
        if (!used[k] && strcmp(name, known_constructors[k]) == 0) {
            used[k] = true;
            return;
        }
    finding_add(image->list, FINDING_CONSTRUCTOR, "%s at 0x%" PRIx64,
                *name ? name : "a function without a name", address);
}

static bool judge_constructors(struct image *image) {
    const uint64_t first = image->tags[DT_INIT_ARRAY], size = image->tags[DT_INIT_ARRAYSZ];
    const uint64_t init = image->tags[DT_INIT];
    const unsigned char *slots = at(image, first, size);
    /* Each is excused once. On x86-64 "_init" is known by its code, never by its name. */
    bool used[KNOWN_CONSTRUCTORS] = {image->header.e_machine == EM_X86_64};
    if (init && !(image->header.e_machine == EM_X86_64 && is_plain_init(image, init)))
        judge_constructor(image, init, used);
    if (size == 0)
        return true;
    if (!slots || size % 8 != 0)
        return malformed(image, "its constructors lie outside the file");
    if (size / 8 > MOST_CONSTRUCTORS)
        return malformed(image, "it has too many constructors");
    for (uint64_t i = 0; i < size / 8; i++) {
        struct constructor *c = &image->constructors[i];
        Elf64_Sym symbol;
        if (c->symbol != 0 && symbol_at(image, c->symbol, &symbol)) {
            const char *name = string_of(image, symbol.st_name);
            finding_add(image->list, FINDING_CONSTRUCTOR, "%s", name ? name : "");
            continue;
        }
        if (c->address == 0)
            memcpy(&c->address, slots + 8 * i, 8);
        judge_constructor(image, c->address, used);
    }
    return true;
}

/* Bytes may be part of another instruction, so this proves nothing. */
static void judge_code(struct image *image) {
    static const unsigned char syscall_code[] = {0x0f, 0x05};
    size_t count = 0;
    uint64_t address = 0;
    if (image->header.e_machine != EM_X86_64)
        return;
    for (size_t i = 0; i < image->load_count; i++) {
        const Elf64_Phdr *load = &image->loads[i];
        const unsigned char *start = image->bytes + load->p_offset, *end = start + load->p_filesz;
        const unsigned char *p = start;
        if (!(load->p_flags & PF_X))
            continue;
        while ((p = memmem(p, (size_t)(end - p), syscall_code, sizeof syscall_code))) {
            if (count++ == 0)
                address = load->p_vaddr + (uint64_t)(p - start);
            p++;
        }
    }
    if (count > 0)
        finding_add(image->list, FINDING_SYSCALL_BYTES, "%zu, the first at 0x%" PRIx64, count,
                    address);
}

static void judge(struct image *image) {
    const uint64_t *tags = image->tags;
    if (!read_header(image) || !read_segments(image) || !read_dynamic(image))
        return;
    read_sections(image);
    if (!count_hashed(image) || !count_relocated(image, tags[DT_RELA], tags[DT_RELASZ]) ||
        !count_relocated(image, tags[DT_JMPREL], tags[DT_PLTRELSZ]) || !judge_relative(image) ||
        !judge_relocations(image, tags[DT_RELA], tags[DT_RELASZ]) ||
        !judge_relocations(image, tags[DT_JMPREL], tags[DT_PLTRELSZ]) || !judge_symbols(image) ||
        !judge_constructors(image))
        return;
    if (has_static_runtime(image))
        finding_add(image->list, FINDING_STATIC_RUNTIME,
                    "what it calls of CUDA, and what the runtime needs itself, is not seen; "
                    "link with -cudart shared");
    else
        judge_code(image);
}

int static_audit(const char *path, struct finding_list *list) {
    struct file_bytes file;
    if (file_bytes_read(path, &file) < 0)
        return -1;
    struct image *image = calloc(1, sizeof *image);
    if (!image) {
        file_bytes_free(&file);
        return error("%s: no memory for its audit", path);
    }
    image->list = list;
    image->bytes = file.bytes;
    image->size = file.size;
    judge(image);
    free(image);
    file_bytes_free(&file);
    return 0;
}
