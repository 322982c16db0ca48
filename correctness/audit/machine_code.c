#include "correctness/audit/machine_code.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/need.h"
#include "bench/base/text.h"

#define MOST_FUNCTIONS ((size_t)1 << 16)
#define LINE_SIZE ((size_t)1 << 16) /* CUTLASS's names have some thousand characters */

/* What is too long for the line is left out. */
static bool read_line(FILE *text, char line[LINE_SIZE]) {
    size_t n = 0;
    int c = getc(text);
    if (c == EOF)
        return false;
    for (; c != EOF && c != '\n'; c = getc(text))
        if (n + 1 < LINE_SIZE)
            line[n++] = (char)c;
    line[n] = 0;
    return true;
}

/* A mnemonic: "HGMMA.64x256x16.F32.BF16" is an opcode and its parts. */
struct mnemonic {
    const char *text;
    size_t size, opcode;
};

/* Where the part begins; the mnemonic's size if it has no such. */
static size_t part_at(const struct mnemonic *m, const char *part) {
    const size_t size = strlen(part);
    size_t at = m->opcode;
    while (at < m->size) {
        const size_t length = strcspn(m->text + at + 1, ". ;");
        if (length == size && memcmp(m->text + at + 1, part, size) == 0)
            break;
        at += 1 + length;
    }
    return at < m->size ? at : m->size;
}

static bool has_part(const struct mnemonic *m, const char *part) {
    return part_at(m, part) < m->size;
}

static bool is_opcode(const struct mnemonic *m, const char *opcode) {
    return strlen(opcode) == m->opcode && text_begins(m->text, opcode);
}

/* A type that is named first is the accumulator's; bf16 and tf32 are named after it. */
static enum machine_class class_of_half(const struct mnemonic *m) {
    const bool group = m->text[m->opcode - 4] == 'G';
    const size_t f32 = part_at(m, "F32"), f16 = part_at(m, "F16");
    if (has_part(m, "BF16") || has_part(m, "TF32"))
        return MACHINE_MMA_WIDE;
    if (f32 == f16)
        return MACHINE_MMA_OTHER;
    if (f32 < f16)
        return group ? MACHINE_HGMMA_F32 : MACHINE_HMMA_F32;
    return group ? MACHINE_HGMMA_F16 : MACHINE_HMMA_F16;
}

/* HMMA, HGMMA, UTCHMMA and the like. HFMA2.MMA is none: that MMA is a part. */
static bool is_matrix(const struct mnemonic *m) {
    return m->opcode > 3 && memcmp(m->text + m->opcode - 3, "MMA", 3) == 0;
}

static enum machine_class class_of_matrix(const struct mnemonic *m) {
    switch (m->text[text_begins(m->text, "UTC") ? 3 : 0]) {
    case 'H':
        return class_of_half(m);
    case 'Q': /* 8 bits */
    case 'O': /* 4 bits */
        return MACHINE_MMA_FP8;
    case 'I':
    case 'B': /* single bits */
        return MACHINE_MMA_INTEGER;
    case 'D':
        return MACHINE_MMA_F64;
    default:
        return MACHINE_MMA_OTHER;
    }
}

/* The class of an instruction without its address and predicate; MACHINE_CLASS_COUNT: none. */
static enum machine_class class_of(const char *text) {
    const struct mnemonic m = {text, strcspn(text, " ;"), strcspn(text, ". ;")};
    if (is_matrix(&m))
        return class_of_matrix(&m);
    if (has_part(&m, "E4M3") || has_part(&m, "E5M2"))
        return MACHINE_FP8_CONVERSION;
    if (is_opcode(&m, "HFMA2") && !strstr(text, "-RZ, RZ,")) /* which only moves a constant */
        return MACHINE_HFMA2;
    if (is_opcode(&m, "HADD2") && !has_part(&m, "F32")) /* which converts */
        return MACHINE_HADD2;
    if (is_opcode(&m, "ACQBULK") || is_opcode(&m, "PREEXIT")) /* griddepcontrol */
        return MACHINE_DEPENDENT;
    return is_opcode(&m, "FFMA") ? MACHINE_FFMA : MACHINE_CLASS_COUNT;
}

/* The instruction of a line such as "  / * 0060 * /  @!P0 HMMA.16816.F32 R4, ..." or NULL. */
static const char *instruction_in(const char *text) {
    if (!text_begins(text, "/*"))
        return NULL;
    text += 2;
    text += strspn(text, "0123456789abcdef");
    if (!text_begins(text, "*/"))
        return NULL;
    text += 2;
    text += strspn(text, " \t{");
    if (*text == '@') {
        text += strcspn(text, " ");
        text += strspn(text, " ");
    }
    return text;
}

/* MACHINE_ARCHS where there is no room. */
static size_t find_arch(struct machine_code *code, const char *name) {
    size_t i = 0;
    while (i < code->arch_count && strcmp(code->archs[i], name) != 0)
        i++;
    if (i == code->arch_count && i < MACHINE_ARCHS)
        snprintf(code->archs[code->arch_count++], sizeof code->archs[0], "%s", name);
    return i;
}

/* NULL where there is no room. */
static struct machine_function *add_function(struct machine_code *code, size_t arch,
                                             const char *name) {
    if (code->count == MOST_FUNCTIONS || arch == MACHINE_ARCHS) {
        code->dropped++;
        return NULL;
    }
    code->functions = need_more(code->functions, code->count, sizeof *code->functions);
    struct machine_function *added = &code->functions[code->count++];
    *added = (struct machine_function){.symbol = behaviour_symbol(name), .arch = arch};
    snprintf(added->name, sizeof added->name, "%s", name);
    return added;
}

void machine_code_parse(FILE *text, struct machine_code *code) {
    static const char arch_is[] = "arch = ", function_is[] = "Function : ";
    struct machine_function *function = NULL;
    char line[LINE_SIZE], arch[sizeof code->archs[0]] = "sm_?";
    while (read_line(text, line)) {
        const char *start = line + strspn(line, " \t");
        const char *instruction = instruction_in(start);
        if (text_begins(start, arch_is))
            snprintf(arch, sizeof arch, "%s", start + strlen(arch_is));
        else if (text_begins(start, function_is))
            function = add_function(code, find_arch(code, arch), start + strlen(function_is));
        else if (function && instruction) {
            const enum machine_class class = class_of(instruction);
            if (class != MACHINE_CLASS_COUNT)
                function->counts[class]++;
        }
    }
}

int machine_code_save(const struct machine_code *code, FILE *out) {
    fprintf(out, "%zu archs, %zu functions\n", code->arch_count, code->count);
    for (size_t i = 0; i < code->arch_count; i++)
        fprintf(out, "%s\n", code->archs[i]);
    for (size_t i = 0; i < code->count; i++) {
        const struct machine_function *function = &code->functions[i];
        fprintf(out, "%016" PRIx64 " %zu", function->symbol, function->arch);
        for (int k = 0; k < MACHINE_CLASS_COUNT; k++)
            fprintf(out, " %" PRIu64, function->counts[k]);
        fprintf(out, " %s\n", function->name);
    }
    fputs("end\n", out);
    return ferror(out) ? -1 : 0;
}

static bool load_function(FILE *in, size_t archs, struct machine_function *function) {
    bool good = fscanf(in, "%" SCNx64 "%zu", &function->symbol, &function->arch) == 2 &&
                function->arch < archs;
    for (int k = 0; k < MACHINE_CLASS_COUNT && good; k++)
        good = fscanf(in, "%" SCNu64, &function->counts[k]) == 1;
    return good && fscanf(in, " %95[^\n]", function->name) == 1;
}

int machine_code_load(FILE *in, struct machine_code *code) {
    size_t archs = 0, count = 0;
    char end[4] = "";
    if (fscanf(in, "%zu archs, %zu functions\n", &archs, &count) != 2 || archs > MACHINE_ARCHS ||
        count > MOST_FUNCTIONS)
        return -1;
    code->functions = need(count, sizeof *code->functions);
    for (; code->arch_count < archs; code->arch_count++)
        if (fscanf(in, "%15s", code->archs[code->arch_count]) != 1)
            return -1;
    for (; code->count < count; code->count++)
        if (!load_function(in, archs, &code->functions[code->count]))
            return -1;
    return fscanf(in, " %3s", end) == 1 && strcmp(end, "end") == 0 ? 0 : -1;
}

void machine_code_free(struct machine_code *code) {
    free(code->functions);
    *code = (struct machine_code){0};
}

static int compare_symbols(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The functions that ran, by symbol, ascending. */
struct ran {
    uint64_t *symbols;
    size_t count;
};

static struct ran find_ran(const struct behaviour_event *events, uint64_t count) {
    struct ran ran = {.symbols = need(count, sizeof *ran.symbols)};
    for (uint64_t i = 0; i < count; i++)
        if (events[i].kind == BEHAVIOUR_KERNEL)
            ran.symbols[ran.count++] = events[i].symbol;
    qsort(ran.symbols, ran.count, sizeof *ran.symbols, compare_symbols);
    return ran;
}

static bool has_run(const struct ran *ran, const struct machine_function *function) {
    return ran->count == 0 || bsearch(&function->symbol, ran->symbols, ran->count,
                                      sizeof *ran->symbols, compare_symbols);
}

static uint64_t f16_count(const struct machine_function *function) {
    return function->counts[MACHINE_HMMA_F16] + function->counts[MACHINE_HGMMA_F16];
}

static uint64_t f32_count(const struct machine_function *function) {
    return function->counts[MACHINE_HMMA_F32] + function->counts[MACHINE_HGMMA_F32];
}

/* Conversions count: sm_90 has no mma of fp8, it is made of them and of one in f16. */
static bool is_fp8(const struct machine_function *function) {
    return function->counts[MACHINE_MMA_FP8] + function->counts[MACHINE_MMA_INTEGER] +
               function->counts[MACHINE_FP8_CONVERSION] >
           0;
}

static bool is_f16(const struct machine_function *function) {
    return f16_count(function) > 0 && f32_count(function) == 0;
}

/* Does what others are accused of not doing. */
static bool is_no_fp8(const struct machine_function *function) {
    return !is_fp8(function) && f16_count(function) + f32_count(function) > 0;
}

static bool is_f32(const struct machine_function *function) {
    return f32_count(function) > 0;
}

/* The counts that are not 0, or "no matrix instruction". */
static void say_counts(const struct machine_function *function, char *text, size_t size) {
    static const char *const words[] = {
#define WORDS(id, words) words,
        MACHINE_CLASSES(WORDS)
#undef WORDS
    };
    size_t n = 0;
    snprintf(text, size, "none that is counted");
    for (int i = 0; i < MACHINE_CLASS_COUNT && n < size; i++)
        if (function->counts[i] > 0)
            n += (size_t)snprintf(text + n, size - n, "%s%s %llu", n ? ", " : "", words[i],
                                  (unsigned long long)function->counts[i]);
}

/* How many functions ran. */
static size_t judge_arch(const struct machine_code *code, size_t arch, const struct ran *ran,
                         bool claims_f32, struct finding_list *list) {
    struct machine_function sum = {0};
    size_t functions = 0;
    bool other_than_fp8 = false, other_than_f16 = false;
    char text[128];
    for (size_t i = 0; i < code->count; i++) {
        const struct machine_function *function = &code->functions[i];
        if (function->arch != arch || !has_run(ran, function))
            continue;
        functions++;
        for (int k = 0; k < MACHINE_CLASS_COUNT; k++)
            sum.counts[k] += function->counts[k];
        other_than_fp8 |= is_no_fp8(function);
        other_than_f16 |= is_f32(function);
    }
    if (functions == 0)
        return 0;
    say_counts(&sum, text, sizeof text);
    finding_add(list, FINDING_INSTRUCTIONS, "%s: %s in %zu function%s%s", code->archs[arch], text,
                functions, functions == 1 ? "" : "s", ran->count ? "" : " of which any may run");
    for (size_t i = 0; i < code->count; i++) {
        const struct machine_function *function = &code->functions[i];
        if (function->arch != arch || !has_run(ran, function))
            continue;
        say_counts(function, text, sizeof text);
        if (is_fp8(function) && (ran->count || !other_than_fp8))
            finding_add(list, FINDING_FP8_UNITS, "%s: %s in %s", code->archs[arch], text,
                        function->name);
        if (claims_f32 && is_f16(function) && (ran->count || !other_than_f16))
            finding_add(list, FINDING_F16_UNITS, "%s: %s in %s", code->archs[arch], text,
                        function->name);
    }
    return functions;
}

void machine_code_judge(const struct machine_code *code, const struct behaviour_event *events,
                        uint64_t count, bool claims_f32, struct finding_list *list) {
    const struct ran ran = find_ran(events, count);
    size_t functions = 0;
    for (size_t arch = 0; arch < code->arch_count; arch++)
        functions += judge_arch(code, arch, &ran, claims_f32, list);
    if (functions == 0)
        finding_add(list, FINDING_INSTRUCTIONS, "unknown: the library holds no machine code of %s",
                    ran.count ? "the kernels that ran" : "kernels");
    free(ran.symbols);
}
