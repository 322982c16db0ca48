/* The text is what cuobjdump 13.5 prints of kernels that nvcc 13.0 compiled, shortened to the lines
 * that matter and some around them. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "correctness/audit/machine_code.h"
#include "tests/support/test.h"

#define WORD                                                                                       \
    "                                                                                  /* "        \
    "0x000fe20000000800 */\n"
#define HEAD(arch)                                                                                 \
    "\nFatbin elf code:\n================\narch = " arch "\ncode version = [1,7]\nhost = linux\n"  \
    "compile_size = 64bit\n\n\tcode for " arch "\n\t.target\t" arch "\n\n"

#define F32_NAME "_Z13tensor_kernelIfEvPK6__halfS2_PS0_12gemm_problem"
#define F16_NAME "_Z13tensor_kernelI6__halfEvPKS0_S2_PS0_12gemm_problem"

/* One kernel template with either accumulator. */
static const char ampere[] = HEAD(
    "sm_80") "\t\tFunction : " F32_NAME "\n"
             "\t.headerflags\t@\"EF_CUDA_TEXMODE_UNIFIED EF_CUDA_64BIT_ADDRESS EF_CUDA_SM80\"\n"
             "        /*0420*/                   HFMA2.MMA R2, -RZ, RZ, 0, 0 ;        /* "
             "0x00000000ff027435 */\n" WORD "        /*04e0*/                   HADD2.F32 R5, -RZ, "
             "R5.H0_H0 ;        /* 0x20000005ff057230 */\n" WORD
             "        /*0550*/                   HMMA.16816.F32 R20, R12.reuse, R16, R20 ;\n" WORD
             "        /*0560*/                   HMMA.16816.F32 R24, R12, R18, R24 ;  /* "
             "0x000000120c18723c */\n" WORD "        /*08f0*/                   FFMA R5, R5, R18, "
             "R2 ;               /* 0x0000001205057223 */\n" WORD
             "        /*25e0*/              @!P0 F2FP.PACK_AB R65, RZ, R65 ;          /* "
             "0x00000041ff41823e */\n" WORD "\t\t..........\n\n\n"
             "\t\tFunction : " F16_NAME "\n"
             "        /*1880*/                   HMMA.16816.F16 R4, R24, R28.reuse, R4 ;\n" WORD
             "        /*1890*/                   HMMA.16816.F16 R42, R32, R28, R8 ;   /* "
             "0x0000001c202a723c */\n" WORD "        /*18a0*/              @!P3 HMMA.16816.F16 "
             "R44, R32, R30, R8 ;   /* 0x0000001e202c723c */\n" WORD "\t\t..........\n";

static const char hopper[] =
    HEAD("sm_90a") "\t\tFunction : w_f32\n"
                   "        /*0050*/                   WARPGROUP.ARRIVE ;                   /* "
                   "0x00000000000079c5 */\n"
                   "        /*0060*/                   HGMMA.64x8x16.F32 R24, gdesc[UR4], RZ, "
                   "!UPT, gsb0 ;\n" WORD "        /*0070*/                   HGMMA.64x256x16.F32 "
                   "R24, gdesc[UR8].tnspB, R24, gsb0 ;\n" WORD "\t\tFunction : w_f16\n"
                   "        /*0060*/                   HGMMA.64x8x16.F16 R24, gdesc[UR4], RZ, "
                   "!UPT, gsb0 ;\n" WORD "\t\tFunction : w_bf16\n"
                   "        /*0060*/                   HGMMA.64x8x16.F32.BF16 R24, gdesc[UR4], RZ, "
                   "!UPT, gsb0 ;\n" WORD "\t\tFunction : w_tf32\n"
                   "        /*0060*/                   HGMMA.64x8x8.F32.TF32 R24, gdesc[UR4], RZ, "
                   "!UPT, gsb0 ;\n" WORD "\t\tFunction : w_e4m3\n"
                   "        /*0060*/                   QGMMA.64x8x32.F32.E4M3.E4M3 R24, "
                   "gdesc[UR4], RZ, !UPT, gsb0 ;\n" WORD "\t\tFunction : w_e5m2_f16\n"
                   "        /*0060*/                   QGMMA.64x8x32.F16.E5M2.E5M2 R24, "
                   "gdesc[UR4], RZ, !UPT, gsb0 ;\n" WORD "\t\tFunction : w_s8\n"
                   "        /*0060*/                   IGMMA.64x8x32.S8.S8 R24, gdesc[UR4], RZ, "
                   "!UPT, gsb0 ;\n" WORD "\t\tFunction : w_b1\n"
                   "        /*0060*/                   BGMMA.64x8x256.AND.POPC R24, gdesc[UR4], "
                   "RZ, !UPT, gsb0 ;\n"
                   "\t\tFunction : d\n"
                   "        /*0090*/                   DMMA.8x8x4 R8, R2, R4, RZ ;          /* "
                   "0x000000040208723f */\n"
                   "\t\tFunction : q8\n" /* mma of e4m3, which this architecture has not */
                   "        /*0070*/                   F2FP.F16.E4M3.UNPACK_B R9, R7 ;      /* "
                   "0x00000007ff09723e */\n"
                   "        /*0080*/                   F2FP.F16.E4M3.UNPACK_B R6, R6 ;      /* "
                   "0x00000006ff06723e */\n"
                   "        /*0150*/                   HMMA.16816.F32 R4, R4, R16, RZ ;     /* "
                   "0x000000100404723c */\n"
                   "\t\tFunction : h2\n"
                   "        /*0280*/                   HFMA2.MMA R0, R7, R17, R0 ;          /* "
                   "0x0000001107007235 */\n"
                   "        /*02d0*/                   HFMA2 R0, R17, R19, R0 ;             /* "
                   "0x0000001311007231 */\n"
                   "        /*07c0*/                   HADD2 R9, R0, R3 ;                   /* "
                   "0x0000000300097230 */\n"
                   "\t\tFunction : dependent\n" /* griddepcontrol.wait, .launch_dependents */
                   "        /*0090*/                   ACQBULK ;                            /* "
                   "0x000000000000782e */\n"
                   "        /*00a0*/              @!P0 PREEXIT ;                            /* "
                   "0x000000000000782d */\n"
                   "        /*00b0*/                   EXIT ;                               /* "
                   "0x000000000000794d */\n";

static const char other[] = HEAD(
    "sm_89") "\t\tFunction : ada\n"
             "        /*00c0*/                   QMMA.16832.F32.E4M3.E4M3 R8, R8.ROW, R6.COL, RZ "
             ";\n"
             "        /*00c0*/                   IMMA.16832.S8.S8 R8, R8.ROW, R6.COL, RZ ;\n"
             "        /*00d0*/                   HMMA.16816.F32.BF16 R12, R8.reuse, R6.reuse, RZ "
             ";\n"
             "        /*0100*/                   HMMA.1688.F32.TF32 R12, R8, R6, R12 ;\n" HEAD(
                 "sm_80") "\t\tFunction : sparse\n"
                          "        /*00b0*/                   HMMA.SP.16816.F32 R12, R6.reuse, R8, "
                          "RZ, R0, 0x0 ;\n" HEAD(
                              "sm_100a") "\t\tFunction : blackwell\n" /* where the accumulator is
                                                                         not in the instruction's
                                                                         name */
                                         "        /*0090*/                   UTCHMMA gdesc[UR8], "
                                         "gdesc[UR10], tmem[UR6], tmem[UR4], UP0 ;\n"
                                         "        /*00f0*/                   UTCQMMA gdesc[UR8], "
                                         "gdesc[UR10], tmem[UR6], tmem[UR4], UP0 ;\n"
                                         "        /*0150*/                   UTCIMMA gdesc[UR8], "
                                         "gdesc[UR10], tmem[UR6], tmem[UR4], UP0 ;\n";

static struct machine_code code;
static struct finding_list list;

static int forget(void **state) {
    (void)state;
    machine_code_free(&code);
    memset(&list, 0, sizeof list);
    return 0;
}

static void parse_bytes(const char *text, size_t size) {
    FILE *file = fmemopen((char *)text, size, "r");
    assert_non_null(file);
    machine_code_parse(file, &code);
    fclose(file);
}

static void parse(const char *text) {
    parse_bytes(text, strlen(text));
}

static const struct machine_function *function(const char *name) {
    for (size_t i = 0; i < code.count; i++)
        if (strcmp(code.functions[i].name, name) == 0)
            return &code.functions[i];
    fail_msg("no function %s", name);
    return NULL;
}

/* The function has so many of one class, and of all classes together. */
static void assert_counts(const char *name, enum machine_class class, uint64_t count,
                          uint64_t all) {
    const struct machine_function *f = function(name);
    uint64_t sum = 0;
    for (int i = 0; i < MACHINE_CLASS_COUNT; i++)
        sum += f->counts[i];
    if (f->counts[class] != count || sum != all)
        fail_msg("%s: %d of class %d, %d in all", name, (int)f->counts[class], (int)class,
                 (int)sum);
}

/* Judges with these kernels recorded ("" for none more). */
static void judge(bool claims_f32, const char *first, const char *second) {
    struct behaviour_event events[3] = {{.kind = BEHAVIOUR_COPY}};
    uint64_t count = 1;
    for (int i = 0; i < 2; i++)
        if (*(i ? second : first)) {
            events[count].kind = BEHAVIOUR_KERNEL;
            events[count++].symbol = behaviour_symbol(i ? second : first);
        }
    machine_code_judge(&code, events, count, claims_f32, &list);
}

static void assert_finding(size_t at, enum finding_kind kind, const char *text) {
    assert_in_range(at, 0, list.count - 1);
    assert_string_equal(finding_word(list.items[at].kind), finding_word(kind));
    assert_string_equal(list.items[at].text, text);
}

TEST_WITH(ampere_is_counted, forget, NULL) {
    parse(ampere);
    assert_int_equal(code.count, 2);
    assert_int_equal(code.arch_count, 1);
    assert_string_equal(code.archs[0], "sm_80");
    assert_counts(F32_NAME, MACHINE_HMMA_F32, 2, 3);
    assert_counts(F32_NAME, MACHINE_FFMA, 1, 3);
    assert_counts(F16_NAME, MACHINE_HMMA_F16, 3, 3); /* with one under a predicate */
}

TEST_WITH(hopper_is_counted, forget, NULL) {
    parse(hopper);
    assert_string_equal(code.archs[0], "sm_90a");
    assert_counts("w_f32", MACHINE_HGMMA_F32, 2, 2);
    assert_counts("w_f16", MACHINE_HGMMA_F16, 1, 1);
    assert_counts("w_bf16", MACHINE_MMA_WIDE, 1, 1);
    assert_counts("w_tf32", MACHINE_MMA_WIDE, 1, 1);
    assert_counts("w_e4m3", MACHINE_MMA_FP8, 1, 1);
    assert_counts("w_e5m2_f16", MACHINE_MMA_FP8, 1, 1);
    assert_counts("w_s8", MACHINE_MMA_INTEGER, 1, 1);
    assert_counts("w_b1", MACHINE_MMA_INTEGER, 1, 1);
    assert_counts("d", MACHINE_MMA_F64, 1, 1);
    assert_counts("q8", MACHINE_FP8_CONVERSION, 2, 3);
    assert_counts("h2", MACHINE_HFMA2, 2, 3);
    assert_counts("h2", MACHINE_HADD2, 1, 3);
    assert_counts("dependent", MACHINE_DEPENDENT, 2, 2);
}

TEST_WITH(others_are_counted, forget, NULL) {
    parse(other);
    assert_int_equal(code.arch_count, 3);
    assert_counts("ada", MACHINE_MMA_FP8, 1, 4);
    assert_counts("ada", MACHINE_MMA_INTEGER, 1, 4);
    assert_counts("ada", MACHINE_MMA_WIDE, 2, 4);
    assert_counts("sparse", MACHINE_HMMA_F32, 1, 1);
    assert_string_equal(code.archs[function("sparse")->arch], "sm_80");
    assert_counts("blackwell", MACHINE_MMA_OTHER, 1, 3);
    assert_counts("blackwell", MACHINE_MMA_FP8, 1, 3);
    assert_counts("blackwell", MACHINE_MMA_INTEGER, 1, 3);
}

TEST_WITH(what_ran_is_judged, forget, NULL) {
    parse(ampere);
    judge(true, F16_NAME, "");
    assert_int_equal(list.count, 2);
    assert_finding(0, FINDING_INSTRUCTIONS, "sm_80: HMMA f16 3 in 1 function");
    assert_finding(1, FINDING_F16_UNITS, "sm_80: HMMA f16 3 in " F16_NAME);
    memset(&list, 0, sizeof list);
    judge(true, F32_NAME, "");
    assert_int_equal(list.count, 1);
    assert_finding(0, FINDING_INSTRUCTIONS, "sm_80: HMMA f32 2, FFMA 1 in 1 function");
    memset(&list, 0, sizeof list);
    judge(true, F32_NAME, F16_NAME);
    assert_int_equal(list.count, 2);
    assert_finding(0, FINDING_INSTRUCTIONS, "sm_80: HMMA f32 2, HMMA f16 3, FFMA 1 in 2 functions");
    memset(&list, 0, sizeof list);
    judge(true, F16_NAME "x", "");
    assert_int_equal(list.count, 1);
    assert_finding(0, FINDING_INSTRUCTIONS,
                   "unknown: the library holds no machine code of the kernels that ran");
}

TEST_WITH(f16_is_no_fault_where_it_is_claimed, forget, NULL) {
    parse(ampere);
    judge(false, F16_NAME, "");
    assert_int_equal(list.count, 1);
}

TEST_WITH(unknown_kernels_are_not_accused_beside_honest_ones, forget, NULL) {
    parse(ampere);
    judge(true, "", "");
    assert_int_equal(list.count, 1);
    assert_finding(0, FINDING_INSTRUCTIONS,
                   "sm_80: HMMA f32 2, HMMA f16 3, FFMA 1 in 2 functions of which any may run");
    forget(state);
    parse(hopper);
    judge(true, "", "");
    assert_int_equal(list.count, 1);
    forget(state);
    parse(strstr(ampere, "\t\tFunction : " F16_NAME));
    judge(true, "", "");
    assert_int_equal(list.count, 2);
    assert_finding(1, FINDING_F16_UNITS, "sm_?: HMMA f16 3 in " F16_NAME);
}

TEST_WITH(eight_bits_are_found, forget, NULL) {
    static const struct {
        const char *name, *text;
    } cases[] = {{"w_e4m3", "sm_90a: fp8 MMA 1 in w_e4m3"},
                 {"w_e5m2_f16", "sm_90a: fp8 MMA 1 in w_e5m2_f16"},
                 {"w_s8", "sm_90a: integer MMA 1 in w_s8"},
                 {"q8", "sm_90a: HMMA f32 1, fp8 conversion 2 in q8"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        forget(state);
        parse(hopper);
        judge(true, cases[i].name, "w_f32");
        assert_int_equal(list.count, 2);
        assert_finding(1, FINDING_FP8_UNITS, cases[i].text);
    }
    forget(state);
    parse(hopper);
    judge(true, "w_f32", "h2");
    assert_int_equal(list.count, 1);
    forget(state);
    parse(strstr(other, "arch = sm_100a")); /* alone in its library */
    judge(true, "", "");
    assert_int_equal(list.count, 2);
    assert_finding(1, FINDING_FP8_UNITS,
                   "sm_100a: fp8 MMA 1, integer MMA 1, other MMA 1 in blackwell");
}

TEST_WITH(levels_are_as_published, forget, NULL) {
    assert_int_equal(finding_default(FINDING_FP8_UNITS), LEVEL_REJECT);
    assert_int_equal(finding_default(FINDING_F16_UNITS), LEVEL_WARN);
    assert_int_equal(finding_default(FINDING_INSTRUCTIONS), LEVEL_INFO);
}

TEST_WITH(architectures_are_told_apart, forget, NULL) {
    static const char both[] = "arch = sm_80\nFunction : k\n/*0*/ HMMA.16816.F16 R4, R2, R8, R4 ;\n"
                               "arch = sm_90a\nFunction : k\n/*0*/ HGMMA.64x8x16.F32 R24 ;\n"
                               "arch = sm_80\nFunction : k\n/*0*/ FFMA R4, R2, R8, R4 ;\n";
    parse(both);
    assert_int_equal(code.arch_count, 2);
    judge(true, "k", "");
    assert_int_equal(list.count, 3);
    assert_finding(0, FINDING_INSTRUCTIONS, "sm_80: HMMA f16 1, FFMA 1 in 2 functions");
    assert_finding(1, FINDING_F16_UNITS, "sm_80: HMMA f16 1 in k");
    assert_finding(2, FINDING_INSTRUCTIONS, "sm_90a: HGMMA f32 1 in 1 function");
}

/* Of names that agree where they are cut, only the one that ran is judged. */
TEST_WITH(long_names_are_told_apart, forget, NULL) {
    char text[8400], one[4001], two[4001];
    memset(one, 'x', sizeof one - 1);
    one[sizeof one - 1] = 0;
    memcpy(two, one, sizeof two);
    two[sizeof two - 2] = 'y';
    snprintf(text, sizeof text,
             "Function : %s\n/*0*/ HMMA.16816.F16 R4 ;\nFunction : %s\n/*0*/ HMMA.16816.F32 R4 ;\n",
             one, two);
    parse(text);
    judge(true, two, "");
    assert_int_equal(list.count, 1);
    assert_finding(0, FINDING_INSTRUCTIONS, "sm_?: HMMA f32 1 in 1 function");
}

TEST_WITH(garbage_is_passed_over, forget, NULL) {
    static const char *const lines[] = {"",
                                        "\n\n\n",
                                        "Function : ",
                                        "arch = ",
                                        "/*",
                                        "/*0",
                                        "/*0*/",
                                        "/*0*/ ",
                                        "/*0*/ @",
                                        "/*0*/ @P0",
                                        "/*0*/ .",
                                        "/*0*/ ..F32",
                                        "/*0*/ MMA",
                                        "/*0*/ MMA.F32 R1",
                                        "/*0*/ ;MMA",
                                        "/*zz*/ HMMA.16816.F32",
                                        "HMMA.16816.F32 R4, R4",
                                        "/*0*/ HMMAX.16816.F32",
                                        "/*0*/ HFMA2.MMA R2, -RZ, RZ, 0, 0 ;",
                                        "/*0*/ UTCMMA",
                                        "/*0*/ UTC",
                                        "Function: k",
                                        "archaic = sm_80"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char text[256];
        snprintf(text, sizeof text, "Function : k\n%s", lines[i]);
        forget(state);
        parse(text);
        assert_in_range(code.count, 1, 2);
        for (size_t k = 0; k < code.count; k++)
            for (int class = 0; class < MACHINE_CLASS_COUNT; class ++)
                if (class != MACHINE_MMA_OTHER)
                    assert_int_equal(code.functions[k].counts[class], 0);
    }
    parse("Function : k\n/*0*/ HMMA.16816 R4 ;\n"); /* an accumulator that is not named */
    assert_int_equal(code.functions[code.count - 1].counts[MACHINE_MMA_OTHER], 1);
}

/* Any bytes, with what is known mixed in so that they get past the first look. */
TEST_WITH(noise_is_harmless, forget, NULL) {
    static const char *const words[] = {"Function : ", "arch = ",       "/*00f0*/ ", "HMMA", ".F32",
                                        ".F16",        "HGMMA.64x8x16", "@!P0 ",     "\n",   ";",
                                        "%s%n",        "UTC",           "MMA"};
    static char text[1 << 18];
    uint64_t random = 1;
    size_t n = 0;
    while (n + 16 < sizeof text) {
        random = random * 6364136223846793005U + 1442695040888963407U;
        const uint32_t draw = (uint32_t)(random >> 33);
        if (draw % 8 == 0) {
            text[n++] = (char)(draw >> 8);
            continue;
        }
        const char *word = words[(draw >> 8) % (sizeof words / sizeof *words)];
        memcpy(text + n, word, strlen(word));
        n += strlen(word);
    }
    parse_bytes(text, n);
    assert_in_range(code.count + code.dropped, 100, n);
    judge(true, "", "");
    for (size_t i = 0; i < list.count; i++)
        for (const char *c = list.items[i].text; *c; c++)
            assert_in_range(*c, ' ', '~');
}

TEST_WITH(long_lines_are_cut, forget, NULL) {
    const size_t size = (size_t)1 << 20;
    char *text = malloc(size + 64);
    assert_non_null(text);
    memset(text, 'x', size);
    memcpy(text, "Function : ", 11);
    strcpy(text + size, "\n/*0*/ HGMMA.64x8x16.F32 R24 ;\n");
    parse(text);
    free(text);
    assert_int_equal(code.count, 1);
    assert_int_equal(code.functions[0].counts[MACHINE_HGMMA_F32], 1);
}

/* A text that was cut is refused, wherever: one that lacks only its last line's end is whole. */
TEST_WITH(what_is_kept_is_read_again, forget, forget) {
    char kept[4096] = "", again[4096] = "";
    parse(ampere);
    FILE *file = fmemopen(kept, sizeof kept, "w");
    assert_int_equal(machine_code_save(&code, file), 0);
    fclose(file);
    for (size_t size = strlen(kept); size > 0; size--) {
        forget(state);
        file = fmemopen(kept, size, "r");
        const int status = machine_code_load(file, &code);
        fclose(file);
        assert_int_equal(status, size + 1 < strlen(kept) ? -1 : 0);
        if (size < strlen(kept))
            continue;
        file = fmemopen(again, sizeof again, "w");
        assert_int_equal(machine_code_save(&code, file), 0);
        fclose(file);
        assert_string_equal(again, kept);
    }
}

TEST_WITH(too_many_are_told, forget, forget) {
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    for (int i = 0; i < 20; i++)
        fprintf(file, "arch = sm_%d\nFunction : k\n/*0*/ HMMA.16816.F32 R4 ;\n", i);
    assert_int_equal(fclose(file), 0);
    parse(text);
    free(text);
    assert_int_equal(code.count, MACHINE_ARCHS);
    assert_int_equal(code.dropped, 20 - MACHINE_ARCHS);
    forget(state);
    file = open_memstream(&text, &size);
    assert_non_null(file);
    for (int i = 0; i < (1 << 16) + 5; i++)
        fprintf(file, "Function : k%d\n", i);
    assert_int_equal(fclose(file), 0);
    parse(text);
    free(text);
    assert_int_equal(code.count, 1 << 16);
    assert_int_equal(code.dropped, 5);
}
