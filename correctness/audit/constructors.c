#include "correctness/audit/constructors.h"

#include <inttypes.h>
#include <string.h>

#include "correctness/audit/symbol_rules.h"

bool constructors_note(struct image *image, const Elf64_Rela *r) {
    const uint64_t first = image->tags[DT_INIT_ARRAY];
    const uint32_t type = ELF64_R_TYPE(r->r_info);
    if (!image_overlap(r->r_offset, 8, first, image->tags[DT_INIT_ARRAYSZ]))
        return true;
    if (r->r_offset < first || (r->r_offset - first) % 8 != 0 ||
        (type != image_types(image)->relative && type != image_types(image)->absolute))
        return image_malformed(image, "a relocation changes a part of a constructor's address");
    const uint64_t slot = (r->r_offset - first) / 8;
    if (slot < IMAGE_CONSTRUCTORS)
        image->constructors[slot] =
            (struct image_constructor){(uint64_t)r->r_addend, (uint32_t)ELF64_R_SYM(r->r_info)};
    return true;
}

/* Functions that compilers and their libraries have run when a library is loaded. */
static const char *const known_constructors[] = {
    "_init",                          /* crti.o, for profilers */
    "frame_dummy",                    /* crtbegin.o, for transactional memory */
    "_ZL24__sti____cudaRegisterAllv", /* nvcc: hands device code to the runtime */
    "__cpu_indicator_init",           /* libgcc: __builtin_cpu_supports */
    "init_have_lse_atomics",          /* libgcc for AArch64 */
    "set_fast_math",                  /* crtfastmath.o, but for x86-64: see is_fast_math */
};
#define KNOWN_CONSTRUCTORS (sizeof known_constructors / sizeof *known_constructors)

/* The name of the function at an address: the first that is not well known, since a symbol table
 * may give one function several. "" if there is none. */
static const char *function_at(const struct image *image, uint64_t address) {
    const char *best = "";
    const unsigned char *strings = image->bytes + image->name_strings.sh_offset;
    for (uint64_t i = 0; i < image->names.sh_size / sizeof(Elf64_Sym); i++) {
        Elf64_Sym symbol;
        image_read(image, image->names.sh_offset + i * sizeof symbol, &symbol, sizeof symbol);
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
    const unsigned char *code = image_at(image, address, sizeof endbr64);
    if (code && memcmp(code, endbr64, sizeof endbr64) == 0)
        address += sizeof endbr64;
    code = image_at(image, address, sizeof head + 4 + sizeof tail);
    return code && memcmp(code, head, sizeof head) == 0 &&
           memcmp(code + sizeof head + 4, tail, sizeof tail) == 0;
}

static bool starts_with(const struct image *image, uint64_t address, const unsigned char *code,
                        size_t size) {
    const unsigned char *at = image_at(image, address, size);
    return at && memcmp(at, code, size) == 0;
}

/* All that crtfastmath.o does on x86-64, which gcc and clang link for -ffast-math: it sets two bits
 * of MXCSR, by one of two ways. */
static bool is_fast_math(const struct image *image, uint64_t address) {
    static const unsigned char endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
    static const unsigned char in_memory[] = {0x0f, 0xae, 0x5c, 0x24, 0xfc, 0x81, 0x4c,
                                              0x24, 0xfc, 0x40, 0x80, 0x00, 0x00, 0x0f,
                                              0xae, 0x54, 0x24, 0xfc, 0xc3};
    static const unsigned char in_eax[] = {0x0f, 0xae, 0x5c, 0x24, 0xfc, 0x8b, 0x44, 0x24,
                                           0xfc, 0x0d, 0x40, 0x80, 0x00, 0x00, 0x89, 0x44,
                                           0x24, 0xfc, 0x0f, 0xae, 0x54, 0x24, 0xfc, 0xc3};
    if (image->header.e_machine != EM_X86_64)
        return false;
    if (starts_with(image, address, endbr64, sizeof endbr64))
        address += sizeof endbr64;
    return starts_with(image, address, in_memory, sizeof in_memory) ||
           starts_with(image, address, in_eax, sizeof in_eax);
}

static void judge_constructor(struct image *image, uint64_t address, bool used[]) {
    const char *name = function_at(image, address);
    if (strncmp(name, "_GLOBAL__sub_I", 14) == 0) {
        finding_add(image->list, FINDING_STATIC_INIT, "%s", name);
        return;
    }
    if (image_has_static_runtime(image) && strncmp(name, "libcudart_static_", 17) == 0)
        return;
    if (is_fast_math(image, address)) {
        finding_add(image->list, FINDING_FAST_MATH, "%s", *name ? name : "set_fast_math");
        return;
    }
    for (size_t k = 0; k < KNOWN_CONSTRUCTORS; k++)
        if (!used[k] && strcmp(name, known_constructors[k]) == 0) {
            used[k] = true;
            return;
        }
    finding_add(image->list, FINDING_CONSTRUCTOR, "%s at 0x%" PRIx64,
                *name ? name : "a function without a name", address);
}

bool constructors_judge(struct image *image) {
    const uint64_t first = image->tags[DT_INIT_ARRAY], size = image->tags[DT_INIT_ARRAYSZ];
    const uint64_t init = image->tags[DT_INIT];
    const unsigned char *slots = image_at(image, first, size);
    /* Each is excused once. On x86-64 these two are known by their code, never by their names. */
    bool used[KNOWN_CONSTRUCTORS] = {false};
    for (size_t k = 0; k < KNOWN_CONSTRUCTORS && image->header.e_machine == EM_X86_64; k++)
        used[k] = symbol_in("_init set_fast_math", known_constructors[k]);
    if (init && !(image->header.e_machine == EM_X86_64 && is_plain_init(image, init)))
        judge_constructor(image, init, used);
    if (size == 0)
        return true;
    if (!slots || size % 8 != 0)
        return image_malformed(image, "its constructors lie outside the file");
    if (size / 8 > IMAGE_CONSTRUCTORS)
        return image_malformed(image, "it has too many constructors");
    for (uint64_t i = 0; i < size / 8; i++) {
        struct image_constructor *c = &image->constructors[i];
        Elf64_Sym symbol;
        if (c->symbol != 0 && image_symbol(image, c->symbol, &symbol)) {
            const char *name = image_string(image, symbol.st_name);
            finding_add(image->list, FINDING_CONSTRUCTOR, "%s", name ? name : "");
            continue;
        }
        if (c->address == 0)
            memcpy(&c->address, slots + 8 * i, 8);
        judge_constructor(image, c->address, used);
    }
    return true;
}
