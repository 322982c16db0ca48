#include "candidates/set/cuda_l2.h"

#include <ctype.h>
#include <glob.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/need.h"
#include "candidates/gemmgate.h"

/* The GPUs that names of sets tell, and their architectures. */
static const char *const gpus[][2] = {{"a100", "80"},   {"3090", "86"},  {"4090", "89"},
                                      {"h100", "90a"},  {"h200", "90a"}, {"b200", "100a"},
                                      {"b300", "103a"}, {"5090", "120a"}};

/* The release's own, less what only makes the compiler talk, and what PyTorch's builder added for
 * the wheels of that time: a kernel that asks for the old strings itself, after nvcc's own headers,
 * does not compile without. */
static const char *const flags[] = {
    "-D_GLIBCXX_USE_CXX11_ABI=0",
    "--use_fast_math",
    "--expt-relaxed-constexpr",
    "--expt-extended-lambda",
    "-U__CUDA_NO_HALF_OPERATORS__",
    "-U__CUDA_NO_HALF_CONVERSIONS__",
    "-U__CUDA_NO_HALF2_OPERATORS__",
    "-U__CUDA_NO_BFLOAT16_CONVERSIONS__",
    "-w",
    NULL,
};

int cuda_l2_refuse_bare(const struct candidate_set *set) {
    return error("%s: these kernels include CUTLASS: get it with `pip download --no-deps "
                 "nvidia-cutlass==4.2.0.0` and unzip, or clone github NVIDIA/cutlass v4.2.0, and "
                 "give --cutlass DIR",
                 set->folder);
}

/* CUTLASS as a checkout has include/ and tools/util/include/; the wheel has them a level or two
 * down. Compilers run in the set's folder, so the path must be absolute. */
static int add_cutlass(struct candidate_set *set, const char *cutlass) {
    static const char *const roots[] = {"", "/source", "/cutlass_library/source"};
    char probe[1200], root[PATH_MAX], path[PATH_MAX + 32];
    set->lacks_cutlass = !cutlass;
    if (!cutlass)
        return 0;
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
        snprintf(probe, sizeof probe, "%.900s%s", cutlass, roots[i]);
        if (!realpath(probe, root))
            continue;
        snprintf(path, sizeof path, "%s/include/cutlass/cutlass.h", root);
        if (access(path, R_OK) < 0)
            continue;
        snprintf(path, sizeof path, "%s/include", root);
        if (set_add_include(set, path) < 0)
            return -1;
        snprintf(path, sizeof path, "%s/tools/util/include", root);
        return set_add_include(set, path);
    }
    return error(
        "--cutlass %s: no include/cutlass/cutlass.h under it; it is a CUTLASS checkout or the "
        "unzipped nvidia-cutlass wheel",
        cutlass);
}

/* The extended pattern, which is a constant. */
static void compile(regex_t *regex, const char *pattern) {
    if (regcomp(regex, pattern, REG_EXTENDED) != 0)
        abort(); /* no memory for some hundred bytes */
}

/* From 1 to 65536, or -1. */
static int32_t read_number(const char *digits) {
    const long number = strtol(digits, NULL, 10);
    return number > 0 && number <= 65536 ? (int32_t)number : -1;
}

/* In each line only the first match counts, and over the file the last one, as in the release's
 * extract_bm_bk_bn. It pads only where all three are found. */
static void read_tile(const char *text, struct candidate_traits *traits, int32_t tile[3]) {
    regex_t regex;
    regmatch_t match[3];
    compile(&regex, "B([MNK])[ \t]*=[ \t]*Int[ \t]*<[ \t]*([0-9]+)[ \t]*>");
    while (regexec(&regex, text, 3, match, 0) == 0) {
        const char letter = text[match[1].rm_so];
        const int32_t number = read_number(text + match[2].rm_so);
        if (number > 0)
            *(letter == 'M' ? &traits->bm : letter == 'N' ? &traits->bn : &traits->bk) = number;
        text += match[0].rm_eo;
        text += strcspn(text, "\n");
    }
    regfree(&regex);
    if (traits->bm > 0 && traits->bn > 0 && traits->bk > 0) {
        tile[0] = traits->bm;
        tile[1] = traits->bn;
        tile[2] = traits->bk;
    }
}

/* A number that is given to one of the names, as `NAME = 4`: the last one found, or -1. */
static int32_t read_constant(const char *text, const char *names) {
    regex_t regex;
    regmatch_t match[3];
    char pattern[128];
    int32_t found = -1;
    snprintf(pattern, sizeof pattern, "\\<(%s)[ \t]*=[ \t]*([0-9]+)", names);
    compile(&regex, pattern);
    for (; regexec(&regex, text, 3, match, 0) == 0; text += match[0].rm_eo) {
        const int32_t number = read_number(text + match[2].rm_so);
        found = number > 0 ? number : found;
    }
    regfree(&regex);
    return found;
}

/* The name of the first function of the release's kind that is defined: arguments with a tensor, a
 * brace. The kernel that it launches is often called cuda_l2_..._kernel, stands before it, and takes no
 * tensor. The compiler judges what looks like such a function and is none. Returns whether there is
 * one. */
static bool find_entry(const char *text, char entry[CUDA_L2_ENTRY]) {
    regex_t regex;
    regmatch_t match[2];
    compile(
        &regex,
        "\\<(cuda_l2_[[:alnum:]_]+)[[:space:]]*\\([^{};]*\\<Tensor\\>[^{};]*\\)[[:space:]]*\\{");
    const bool found = regexec(&regex, text, 2, match, 0) == 0;
    regfree(&regex);
    snprintf(entry, CUDA_L2_ENTRY, "%.*s", found ? (int)(match[1].rm_eo - match[1].rm_so) : 0,
             found ? text + match[1].rm_so : "");
    return found;
}

const char *cuda_l2_read(const char *text, struct candidate_traits *traits, int32_t tile[3],
                         char entry[CUDA_L2_ENTRY]) {
    traits->length = (int64_t)strlen(text);
    read_tile(text, traits, tile);
    /* Values that the harness of the release does not read are for description only. */
    if (traits->bm < 0)
        traits->bm = read_constant(text, "BM|BLOCK_M|kBlockM|TILE_M");
    if (traits->bn < 0)
        traits->bn = read_constant(text, "BN|BLOCK_N|kBlockN|TILE_N");
    if (traits->bk < 0)
        traits->bk = read_constant(text, "BK|BLOCK_K|kBlockK|TILE_K");
    traits->stages = read_constant(text, "KStage|kStages?|STAGES|NUM_STAGES");
    traits->swizzle = strstr(text, "BlockSwizzle") || strstr(text, "block_swizzle") ? 1 : -1;
    return find_entry(text, entry) ? NULL : "it defines no function cuda_l2_...";
}

/* Whether a part of the name, in small letters, is as the pattern says. */
static bool says(const char *name, const char *part) {
    regex_t regex;
    char pattern[128];
    snprintf(pattern, sizeof pattern, "(^|[_-])(%s)([_-]|$)", part);
    compile(&regex, pattern);
    const bool found = regexec(&regex, name, 0, NULL, 0) == 0;
    regfree(&regex);
    return found;
}

/* What the name of a folder or of a function tells: b200_F32BF16BF16F32, cuda_l2_h100_fp32. What is known
 * already stays. */
static void read_name(const char *words, struct candidate_set *set, int32_t *accumulate) {
    char name[CUDA_L2_ENTRY] = "";
    for (size_t i = 0; words[i] && i + 1 < sizeof name; i++)
        name[i] = (char)tolower((unsigned char)words[i]);
    for (size_t i = 0; i < sizeof gpus / sizeof *gpus && !*set->arch; i++)
        if (says(name, gpus[i][0]))
            snprintf(set->arch, sizeof set->arch, "%s", gpus[i][1]);
    if (!set->elements && says(name, "bf16|f32bf16[bf0-9]+"))
        set->elements = 1 << ELEMENT_BF16;
    if (*accumulate == 0)
        *accumulate = says(name, "bf16|f32b?f16[bf0-9]+|fp32") ? GEMM_F32
                      : says(name, "f16f16[f0-9]+|fp16")       ? GEMM_F16
                                                               : 0;
}

/* One call a file, since each has a tile of its own: three operands and C, as tensors. */
static int read_files(struct candidate_set *set, char entry[CUDA_L2_ENTRY]) {
    set->calls = need(set->count, sizeof *set->calls);
    for (size_t i = 0; i < set->count; i++) {
        struct candidate *c = &set->list[i];
        char own[CUDA_L2_ENTRY];
        struct file_bytes text;
        if (file_bytes_read(c->path, &text) < 0)
            return -1;
        text.bytes[text.size] = 0; /* it has room for one more */
        struct call *call = &set->calls[set->call_count++];
        const char *defect = cuda_l2_read((char *)text.bytes, &c->traits, call->tile, own);
        snprintf(call->call.text, sizeof call->call.text,
                 "%s(tensor(a, m, k), tensor(b_row, k, n), tensor(b_col, k, n), tensor(c, m, n))",
                 own);
        if (!*entry)
            snprintf(entry, CUDA_L2_ENTRY, "%s", own);
        if (defect || !c->has_shape)
            snprintf(c->defect, sizeof c->defect, "%s",
                     c->has_shape ? defect : "its name is not a shape");
        file_bytes_free(&text);
        c->call = call;
    }
    return 0;
}

int cuda_l2_configure(struct candidate_set *set, const char *cutlass) {
    char entry[CUDA_L2_ENTRY] = "";
    int32_t accumulate = 0;
    for (const char *const *flag = flags; *flag; flag++)
        if (set_add_flag(set, *flag) < 0)
            return -1;
    if (add_cutlass(set, cutlass) < 0 || read_files(set, entry) < 0)
        return -1;
    if (!*entry)
        return error(
            "%s: none of its files defines a function cuda_l2_..., as those of a set of the "
            "CUDA-L2 release do",
            set->folder);
    read_name(set->name, set, &accumulate);
    read_name(entry, set, &accumulate);
    set->elements = set->elements ? set->elements : 1 << ELEMENT_F16;
    for (size_t i = 0; i < set->call_count; i++) /* where no name tells it, --accumulate does */
        set->calls[i].accumulate = accumulate ? accumulate : GEMM_F16 | GEMM_F32;
    return 0;
}

int cuda_l2_sets(const char *folder, char ***names) {
    char pattern[1200];
    glob_t found;
    int count = 0;
    *names = NULL;
    snprintf(pattern, sizeof pattern, "%.1000s/kernels/*/", folder);
    if (glob(pattern, 0, NULL, &found) != 0)
        return 0;
    *names = need(found.gl_pathc, sizeof **names);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        found.gl_pathv[i][strlen(found.gl_pathv[i]) - 1] = 0;
        (*names)[count++] = need_copy(found.gl_pathv[i]);
    }
    globfree(&found);
    return count;
}
