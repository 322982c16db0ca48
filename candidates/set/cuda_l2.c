#include "candidates/set/cuda_l2.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/installed.h"
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

static int add_include(struct candidate_set *set, const char *folder) {
    char flag[sizeof set->flags[0]];
    if (snprintf(flag, sizeof flag, "-I%s", folder) >= (int)sizeof flag)
        return error("%s: the path is too long", folder);
    return set_add_flag(set, flag);
}

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
        if (add_include(set, path) < 0)
            return -1;
        snprintf(path, sizeof path, "%.900s%s/tools/util/include", cutlass, roots[i]);
        return add_include(set, path);
    }
    return error(
        "--cutlass %s: no include/cutlass/cutlass.h under it; it is a CUTLASS checkout or the "
        "unzipped nvidia-cutlass wheel",
        cutlass);
}

/* "NAME=Int<128>" with blanks anywhere between the parts, as the release's own harness reads it;
 * the number, or -1 if the text at p is no such thing. */
static int32_t read_int_type(const char *p, size_t name) {
    p += name;
    p += strspn(p, " \t");
    if (*p++ != '=')
        return -1;
    p += strspn(p, " \t");
    if (strncmp(p, "Int", 3) != 0)
        return -1;
    p += 3 + strspn(p + 3, " \t");
    if (*p++ != '<')
        return -1;
    p += strspn(p, " \t");
    char *end;
    if (!isdigit((unsigned char)*p))
        return -1;
    errno = 0;
    long value = strtol(p, &end, 10);
    end += strspn(end, " \t");
    return *end == '>' && errno == 0 && value > 0 && value <= 65536 ? (int32_t)value : -1;
}

/* A number that is given to one of several names as `NAME = 4`, the last one found. */
static int32_t read_constant(const char *text, const char *const *names) {
    int32_t found = -1;
    for (; *names; names++)
        for (const char *p = text; (p = strstr(p, *names)); p++) {
            const char *q = p + strlen(*names);
            q += strspn(q, " \t");
            if ((p > text && (isalnum((unsigned char)p[-1]) || p[-1] == '_')) || *q++ != '=')
                continue;
            q += strspn(q, " \t");
            if (isdigit((unsigned char)*q) && strtol(q, NULL, 10) <= 65536)
                found = (int32_t)strtol(q, NULL, 10);
        }
    return found;
}

/* Whether `function` is defined: its name as a whole word, an argument list, a brace. Several such
 * places are left to the compiler: they may be overloads, or stand in branches of the preprocessor.
 */
static bool defines(const char *text, const char *function) {
    size_t length = strlen(function);
    for (const char *p = text; (p = strstr(p, function)); p += length) {
        const char *q = p + length;
        if ((p > text && (isalnum((unsigned char)p[-1]) || p[-1] == '_')) ||
            isalnum((unsigned char)*q) || *q == '_')
            continue;
        q += strspn(q, " \t\r\n");
        if (*q != '(')
            continue;
        for (int depth = 0; *q; q++) {
            depth += (*q == '(') - (*q == ')');
            if (depth == 0)
                break;
        }
        if (*q)
            q += 1 + strspn(q + 1, " \t\r\n");
        if (*q == '{')
            return true;
    }
    return false;
}

/* In each line only the first match counts, and over the file the last one, as in the release's
 * extract_bm_bk_bn. It pads only where all three are found. */
static void read_tile(const char *text, struct candidate_traits *traits, int32_t tile[3]) {
    static const char *const names[] = {"BM", "BN", "BK"};
    int32_t *const slots[] = {&traits->bm, &traits->bn, &traits->bk};
    for (const char *line = text; *line;) {
        size_t length = strcspn(line, "\n");
        bool matched = false;
        for (const char *p = line; p + 2 <= line + length && !matched; p++)
            for (int i = 0; i < 3 && !matched; i++)
                if (strncmp(p, names[i], 2) == 0) {
                    int32_t value = read_int_type(p, 2);
                    if (value > 0) {
                        *slots[i] = value;
                        matched = true;
                    }
                }
        line += length + (line[length] == '\n');
    }
    if (traits->bm > 0 && traits->bn > 0 && traits->bk > 0) {
        tile[0] = traits->bm;
        tile[1] = traits->bn;
        tile[2] = traits->bk;
    }
}

const char *cuda_l2_read(const char *text, const char *function, struct candidate_traits *traits,
                         int32_t tile[3]) {
    static const char *const bm[] = {"BM", "BLOCK_M", "kBlockM", "TILE_M", NULL};
    static const char *const bn[] = {"BN", "BLOCK_N", "kBlockN", "TILE_N", NULL};
    static const char *const bk[] = {"BK", "BLOCK_K", "kBlockK", "TILE_K", NULL};
    static const char *const stages[] = {"KStage", "kStage",     "kStages",
                                         "STAGES", "NUM_STAGES", NULL};
    traits->length = (int64_t)strlen(text);
    read_tile(text, traits, tile);
    /* Values that the harness of the release does not read are for description only. */
    if (traits->bm < 0)
        traits->bm = read_constant(text, bm);
    if (traits->bn < 0)
        traits->bn = read_constant(text, bn);
    if (traits->bk < 0)
        traits->bk = read_constant(text, bk);
    traits->stages = read_constant(text, stages);
    traits->swizzle = strstr(text, "BlockSwizzle") || strstr(text, "block_swizzle") ? 1 : -1;
    return defines(text, function) ? NULL : "it does not define the function of its set";
}

int cuda_l2_add_standin(struct candidate_set *set) {
    char folder[PATH_MAX];
    return installed_find("candidates/standin", folder) < 0 ? -1 : add_include(set, folder);
}

/* One call a file, since each has a tile of its own: three operands and C, as tensors. */
static int read_files(struct candidate_set *set, const char *function, int32_t accumulate) {
    struct call call = {.accumulate = accumulate, .call_count = 1};
    snprintf(call.call[0].text, sizeof call.call[0].text,
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
    if (cuda_l2_add_standin(set) < 0 || add_cutlass(set, cutlass) < 0)
        return -1;
    return read_files(set, sets[s].function, sets[s].accumulate);
}
