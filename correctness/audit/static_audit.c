#include "correctness/audit/static_audit.h"

#include <elf.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/files.h"
#include "bench/base/need.h"
#include "correctness/audit/elf_image.h"
#include "correctness/audit/symbol_rules.h"

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
static bool judge_entry(struct image *image, const Elf64_Dyn *d) {
    const char *name = "";
    if (d->d_tag == DT_NEEDED || d->d_tag == DT_RPATH || d->d_tag == DT_RUNPATH ||
        d->d_tag == DT_AUXILIARY || d->d_tag == DT_FILTER || d->d_tag == DT_AUDIT ||
        d->d_tag == DT_DEPAUDIT) {
        name = image_string(image, d->d_un.d_val);
        if (!name)
            return image_malformed(image, "the name of a needed library lies outside its strings");
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

static bool judge_dynamic(struct image *image) {
    const uint64_t count = image->dynamic_count;
    const unsigned char *entries =
        image_at(image, image->dynamic.p_vaddr, count * sizeof(Elf64_Dyn));
    for (uint64_t i = 0; i < count; i++) {
        Elf64_Dyn d;
        memcpy(&d, entries + i * sizeof d, sizeof d);
        if (!judge_entry(image, &d))
            return false;
    }
    return true;
}

/* Where the loader writes: into writable memory of the library, and not into what it reads by. */
static bool judge_target(struct image *image, uint64_t target) {
    const uint64_t *tags = image->tags;
    const Elf64_Phdr *load = image_load(image, target, 8);
    if (!load)
        return image_malformed(image, "a relocation reaches outside the library");
    if (!(load->p_flags & PF_W) && image->list->seen[FINDING_TEXT_RELOCATION] == 0)
        finding_add(image->list, FINDING_TEXT_RELOCATION, "at 0x%" PRIx64, target);
    if (image_overlap(target, 8, tags[DT_STRTAB], tags[DT_STRSZ]) ||
        image_overlap(target, 8, tags[DT_SYMTAB], image->symbol_count * sizeof(Elf64_Sym)) ||
        image_overlap(target, 8, tags[DT_RELA], tags[DT_RELASZ]) ||
        image_overlap(target, 8, tags[DT_JMPREL], tags[DT_PLTRELSZ]) ||
        image_overlap(target, 8, image->dynamic.p_vaddr, image->dynamic.p_memsz))
        return image_malformed(image, "a relocation changes the tables of the loader");
    return true;
}

static bool judge_relocations(struct image *image, uint64_t table, uint64_t size) {
    const unsigned char *entries = image_at(image, table, size);
    for (uint64_t i = 0; i < size / sizeof(Elf64_Rela); i++) {
        Elf64_Rela r;
        memcpy(&r, entries + i * sizeof r, sizeof r);
        if (ELF64_R_TYPE(r.r_info) == 0) /* R_*_NONE */
            continue;
        if (ELF64_R_TYPE(r.r_info) == image_indirect(image))
            finding_add(image->list, FINDING_IFUNC, "a resolver at 0x%" PRIx64,
                        (uint64_t)r.r_addend);
        if (!judge_target(image, r.r_offset))
            return false;
    }
    return true;
}

/* Addresses and bitmaps of words that follow them; what they hold is already in the file. */
static bool judge_relative(struct image *image) {
    const uint64_t size = image->tags[DT_RELRSZ];
    const unsigned char *words = image_at(image, image->tags[DT_RELR], size);
    uint64_t where = 0;
    if (!image->tags[DT_RELR])
        return true;
    if (!words || size % 8 != 0)
        return image_malformed(image, "its relocations lie outside the file");
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

static void judge_undefined(struct image *image, const char *name) {
    const struct symbol_rule *rule = symbol_rule_of(name);
    if (image_has_static_runtime(image) && symbol_in(symbols_of_static_runtime, name))
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
    if (image->symbol_count > IMAGE_SYMBOLS)
        return image_malformed(image, "it has too many symbols");
    for (uint32_t i = 1; i < image->symbol_count; i++) {
        Elf64_Sym symbol;
        if (!image_symbol(image, i, &symbol))
            return image_malformed(image, "its symbols lie outside the file");
        const char *name = image_string(image, symbol.st_name);
        if (!name)
            return image_malformed(image, "the name of a symbol lies outside its strings");
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
    if (!image_open(image) || !judge_dynamic(image) || !image_count_symbols(image) ||
        !judge_relative(image) || !judge_relocations(image, tags[DT_RELA], tags[DT_RELASZ]) ||
        !judge_relocations(image, tags[DT_JMPREL], tags[DT_PLTRELSZ]) || !judge_symbols(image))
        return;
    if (image_has_static_runtime(image))
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
    struct image *image = need(1, sizeof *image);
    image->list = list;
    image->bytes = file.bytes;
    image->size = file.size;
    judge(image);
    free(image);
    file_bytes_free(&file);
    return 0;
}
