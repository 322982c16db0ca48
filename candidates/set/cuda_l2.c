#include "candidates/set/cuda_l2.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/need.h"
#include "candidates/gemmgate.h"

static const struct {
    const char *folder, *function, *arch;
    int32_t accumulate;
} sets[] = {
    {"a100_F16F16F16F16", "cuda_l2_a100_fp16", "80", GEMM_F16},
    {"a100_F32F16F16F32", "cuda_l2_a100_fp32", "80", GEMM_F32},
    {"3090_F32F16F16F32", "cuda_l2_3090_fp32", "86", GEMM_F32},
    {"h100_F32F16F16F32", "cuda_l2_h100_fp32", "90a", GEMM_F32},
};
enum { SETS = sizeof sets / sizeof *sets };

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

/* CUTLASS as a checkout has include/ and tools/util/include/; the wheel has them a level or two
 * down. */
static int add_cutlass(struct candidate_set *set, const char *cutlass) {
    static const char *const roots[] = {"", "/source", "/cutlass_library/source"};
    char probe[1200], path[1200];
    if (!cutlass)
        return error(
            "%s: these kernels include CUTLASS: get it with `pip download --no-deps "
            "nvidia-cutlass==4.2.0.0` and unzip, or clone github NVIDIA/cutlass v4.2.1, and "
            "give --cutlass DIR",
            set->folder);
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
        snprintf(probe, sizeof probe, "%.900s%s/include/cutlass/cutlass.h", cutlass, roots[i]);
        if (access(probe, R_OK) < 0)
            continue;
        snprintf(path, sizeof path, "%.900s%s/include", cutlass, roots[i]);
        if (set_add_include(set, path) < 0)
            return -1;
        snprintf(path, sizeof path, "%.900s%s/tools/util/include", cutlass, roots[i]);
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

/* Whether `function` is defined: its name as a whole word, an argument list, a brace. What looks like
 * it and is none is left to the compiler. */
static bool defines(const char *text, const char *function) {
    regex_t regex;
    char pattern[128];
    snprintf(pattern, sizeof pattern, "\\<%s[[:space:]]*\\([^{};]*\\)[[:space:]]*\\{", function);
    compile(&regex, pattern);
    const bool found = regexec(&regex, text, 0, NULL, 0) == 0;
    regfree(&regex);
    return found;
}

const char *cuda_l2_read(const char *text, const char *function, struct candidate_traits *traits,
                         int32_t tile[3]) {
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
    return defines(text, function) ? NULL : "it does not define the function of its set";
}

/* One call a file, since each has a tile of its own: three operands and C, as tensors. */
static int read_files(struct candidate_set *set, const char *function, int32_t accumulate) {
    struct call call = {.accumulate = accumulate};
    snprintf(call.call.text, sizeof call.call.text,
             "%s(tensor(a, m, k), tensor(b_row, k, n), tensor(b_col, k, n), tensor(c, m, n))",
             function);
    set->calls = need(set->count, sizeof *set->calls);
    for (size_t i = 0; i < set->count; i++) {
        struct candidate *c = &set->list[i];
        struct file_bytes text;
        if (file_bytes_read(c->path, &text) < 0)
            return -1;
        struct call *own = &set->calls[set->call_count++];
        *own = call;
        const char *defect = cuda_l2_read((char *)text.bytes, function, &c->traits, own->tile);
        if (defect)
            snprintf(c->defect, sizeof c->defect, "%s (%s)", defect, function);
        if (!c->has_shape)
            snprintf(c->defect, sizeof c->defect, "its name is not a shape");
        file_bytes_free(&text);
        c->call = own;
    }
    return 0;
}

int cuda_l2_configure(struct candidate_set *set, const char *cutlass) {
    size_t s = 0;
    while (s < SETS && strcmp(sets[s].folder, set->name) != 0)
        s++;
    if (s == SETS)
        return error("%s: a set of the CUDA-L2 release is one of the folders %s, %s, %s and %s",
                     set->folder, sets[0].folder, sets[1].folder, sets[2].folder, sets[3].folder);
    snprintf(set->arch, sizeof set->arch, "%s", sets[s].arch);
    for (const char *const *flag = flags; *flag; flag++)
        if (set_add_flag(set, *flag) < 0)
            return -1;
    if (add_cutlass(set, cutlass) < 0)
        return -1;
    return read_files(set, sets[s].function, sets[s].accumulate);
}
