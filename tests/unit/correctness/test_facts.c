/* Facts of calls: what is counted, and what is told of it. */
#include "correctness/contract/facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/asserts.h"
#include "tests/support/test.h"

enum { WORKSPACE = 1000 };

static struct facts facts;

/* What is told. */
static struct finding list[FACTS_FINDINGS];
static int told;

static int found(enum finding_kind kind) {
    int times = 0;
    for (int i = 0; i < told; i++)
        times += list[i].kind == kind;
    return times;
}

static int forget(void **state) {
    (void)state;
    memset(&facts, 0, sizeof facts);
    return 0;
}

static void launch(const char *name, uint32_t blocks, bool dependent) {
    const struct facts_launch launch = {.name = name,
                                        .symbol = name,
                                        .grid = {blocks, 1, 1},
                                        .block = {32, 2, 1},
                                        .shared_bytes = 64,
                                        .dependent = dependent};
    facts_add_launch(&facts, &launch);
}

static void ask(bool call, const char *function) {
    facts_begin(&facts, call);
    facts_add_function(&facts, function);
    launch("gemm", 4, false);
    facts_end(&facts);
}

static void call_kernels(int count) {
    facts_begin(&facts, true);
    for (int i = 0; i < count; i++)
        launch("gemm", 4, false);
    facts_end(&facts);
}

static void judge(void) {
    told = facts_judge(&facts, WORKSPACE, list);
}

/* The only finding. */
static void is_found(enum finding_kind kind, const char *text) {
    judge();
    assert_int_equal(told, 1);
    assert_string_equal(finding_words[list[0].kind].word, finding_words[kind].word);
    assert_string_equal(list[0].text, text);
}

static void is_quiet(void) {
    judge();
    if (told)
        fail_msg("%s: %s", finding_words[list[0].kind].word, list[0].text);
}

TEST_WITH(an_honest_kernel_has_nothing_to_tell, forget, NULL) {
    facts_begin(&facts, false);
    facts_add_function(&facts, "cuModuleLoadData");
    facts_add_function(&facts, "cuMemAlloc_v2");
    facts_add_function(&facts, "cuCtxSynchronize");
    facts_add_function(&facts, "cuEventCreate");
    facts_hold(&facts, WORKSPACE);
    facts_end(&facts);
    for (int i = 0; i < 5; i++)
        ask(true, i == 0 ? "cuLibraryLoadData" : "cuLaunchKernel");
    is_quiet();
}

TEST_WITH(functions_are_told_by_when_they_are_asked_for, forget, NULL) {
    static const struct {
        const char *function;
        enum finding_kind setup, first, later; /* FINDING_COUNT: none */
    } cases[] = {
        {"cuMemAlloc_v2", FINDING_COUNT, FINDING_CUDA_ALLOC, FINDING_ALLOC_PER_CALL},
        {"cuMemFreeAsync", FINDING_COUNT, FINDING_CUDA_ALLOC, FINDING_ALLOC_PER_CALL},
        {"cuMemPoolCreate", FINDING_COUNT, FINDING_CUDA_ALLOC, FINDING_ALLOC_PER_CALL},
        {"cuCtxSynchronize", FINDING_COUNT, FINDING_CUDA_SYNC, FINDING_SYNC_PER_CALL},
        {"cuStreamSynchronize_ptsz", FINDING_COUNT, FINDING_CUDA_SYNC, FINDING_SYNC_PER_CALL},
        {"cuEventQuery", FINDING_COUNT, FINDING_CUDA_SYNC, FINDING_SYNC_PER_CALL},
        {"cuEventRecord", FINDING_COUNT, FINDING_COUNT, FINDING_COUNT},
        {"cuStreamCreate", FINDING_COUNT, FINDING_COUNT, FINDING_COUNT},
        {"cuLibraryGetKernel", FINDING_COUNT, FINDING_COUNT, FINDING_COUNT},
        {"cuStreamDestroy_v2", FINDING_COUNT, FINDING_COUNT, FINDING_COUNT},
        {"cuLaunchKernel", FINDING_COUNT, FINDING_COUNT, FINDING_COUNT},
        {"myMemAlloc", FINDING_COUNT, FINDING_COUNT, FINDING_COUNT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int at = 0; at < 3; at++) {
            const enum finding_kind kinds[] = {cases[i].setup, cases[i].first, cases[i].later};
            static const char *const when[] = {"setup", "the first call", "later ones"};
            char text[128];
            snprintf(text, sizeof text, "%s, 1 time in %s", cases[i].function, when[at]);
            forget(NULL);
            for (int call = 0; call < 3; call++)
                ask(call > 0, call == at ? cases[i].function : "cuGetProcAddress_v2");
            kinds[at] == FINDING_COUNT ? is_quiet() : is_found(kinds[at], text);
        }
}

TEST_WITH(times_are_told_apart, forget, NULL) {
    facts_begin(&facts, false);
    facts_add_function(&facts, "cuMemAlloc_v2");
    facts_add_function(&facts, "cuMemAlloc_v2");
    facts_end(&facts);
    for (int i = 0; i < 4; i++)
        ask(true, "cuMemAlloc_v2");
    is_found(FINDING_ALLOC_PER_CALL,
             "cuMemAlloc_v2, 2 times in setup, 1 in the first call, 3 in later ones");
}

TEST_WITH(dependent_launches_are_told, forget, NULL) {
    for (int i = 0; i < 3; i++) {
        facts_begin(&facts, true);
        launch("first", 1, false);
        launch("second", 1, i > 0);
        facts_end(&facts);
    }
    is_found(FINDING_DEPENDENT_LAUNCH, "second, 1 time in the first call, 2 in later ones");
}

TEST_WITH(calls_without_a_kernel_are_found, forget, NULL) {
    for (int call = 1; call <= 6; call++)
        call_kernels(call != 3 && call != 5);
    judge();
    assert_int_equal(found(FINDING_NO_KERNEL), 1);
    assert_string_equal(list[0].text, "2 of 6 calls, the first of them call 3");
}

TEST_WITH(changes_of_kernel_grid_block_or_order_are_found, forget, NULL) {
    static const struct {
        const char *name, *then;
        uint32_t blocks;
    } last[] = {{"one", "two", 4}, {"one", "three", 4}, {"one", "two", 5}, {"two", "one", 4}};
    for (size_t i = 0; i < sizeof last / sizeof *last; i++) {
        forget(NULL);
        for (int call = 1; call <= 5; call++) {
            const int at = call == 4 ? (int)i : 0;
            facts_begin(&facts, true);
            launch(last[at].name, 4, false);
            launch(last[at].then, last[at].blocks, false);
            facts_end(&facts);
        }
        if (i == 0)
            is_quiet();
        else
            is_found(FINDING_CHANGING_KERNELS,
                     "1 of 3 calls after call 2 differ from it, the first of them call 4");
    }
}

/* Two calls of a launch and a fill, of which all is known but so many. */
static uint64_t exact_of(uint64_t filled, uint64_t again, int unknown) {
    const uint64_t fills[2] = {filled, again};
    memset(&facts, 0, sizeof facts);
    for (int i = 0; i < 2; i++) {
        facts_begin(&facts, true);
        launch("gemm", 4, false);
        facts_add_exact(&facts, 1);
        facts_add_function(&facts, "cuMemsetD8Async");
        if (i >= unknown)
            facts_add_exact(&facts, fills[i]);
        facts_end(&facts);
    }
    return facts_exact(&facts);
}

TEST(work_is_the_same_where_all_of_it_is) {
    assert_true(exact_of(2, 2, 0) != 0);
    assert_true(exact_of(2, 2, 0) == exact_of(2, 2, 0));
    assert_true(exact_of(2, 2, 0) != exact_of(3, 3, 0));
    assert_true(exact_of(2, 3, 0) == 0); /* it changes from call to call */
    assert_true(exact_of(2, 2, 1) == 0); /* a fill is not known */
    memset(&facts, 0, sizeof facts);
    assert_true(facts_exact(&facts) == 0);
}

TEST_WITH(self_tuning_begins_where_warming_up_ends, forget, NULL) {
    for (int first = 1; first <= 7; first++) {
        forget(NULL);
        for (int call = 1; call <= 4; call++)
            call_kernels(call == 1 ? first : call == 3 ? 2 : 1);
        judge();
        assert_int_equal(found(FINDING_CHANGING_KERNELS), 1);
        assert_int_equal(found(FINDING_SELF_TUNING), 0);
        assert_int_equal(found(FINDING_FIRST_CALL_WORK), first > 2);
    }
    forget(NULL);
    for (int call = 1; call <= 4; call++)
        call_kernels(call == 1 ? 5 : 1);
    is_found(FINDING_FIRST_CALL_WORK, "5 kernels, 0 fills and copies; later at most 1 and 0");
    forget(NULL);
    for (int call = 1; call <= 4; call++)
        call_kernels(call == 1 ? 6 : 1);
    is_found(FINDING_SELF_TUNING, "6 kernels in the first call, at most 1 in later ones");
    forget(NULL);
    for (int call = 1; call <= 4; call++)
        ask(true, call == 1 ? "cuMemsetD8Async" : "cuLaunchKernel");
    is_found(FINDING_FIRST_CALL_WORK, "1 kernels, 1 fills and copies; later at most 1 and 0");
    forget(NULL);
    call_kernels(100);
    is_quiet(); /* one call is not compared */
}

TEST_WITH(more_memory_than_the_workspace_is_found, forget, NULL) {
    facts_hold(&facts, WORKSPACE + 1);
    is_found(FINDING_WORKSPACE,
             "1001 bytes, in setup; its workspace is 1000 bytes; --workspace 1 gives it as much");
    call_kernels(1);
    call_kernels(1);
    facts_hold(&facts, WORKSPACE + 2);
    facts_hold(&facts, 5);
    is_found(FINDING_WORKSPACE,
             "1002 bytes, in call 2; its workspace is 1000 bytes; --workspace 1 gives it as much");
}

TEST(library_kernels_are_told_from_users_own) {
    static const struct {
        const char *name;
        int library;
    } kernels[] = {
        {"nvjet_sm90_hsh_64x64_64x13_2x1_v_bz_splitK_NNT", 1},
        {"void cublasLt::splitKreduce_kernel<32, 16, int, float, __half>(...)", 1},
        {"sm90_xmma_gemm_f16f16_f16f32_f32_tn_n_tilesize128x128x64__5x_cublas", 1},
        {"sm80_xmma_gemm_f16f16_f16f32_f32_nn_n_tilesize64x64x64_stage5_cublas", 1},
        {"void cutlass::Kernel2<cutlass_80_tensorop_h16816gemm_128x64_32x6_nn_align8>(...)", 1},
        {"void cutlass::Kernel<cutlass_75_wmma_tensorop_f16_s161616gemm_f16>(...)", 1},
        {"void cutlass::device_kernel<cutlass3x_sm100_tensorop_h64x64x16gemm>(...)", 1},
        {"cutlass3x_sm100_tensorop_h64x64x16gemm_f16", 1},
        {"ampere_h16816gemm_128x128_ldg8_stages_64x3_tn", 1},
        {"ampere_fp16_s16816gemm_fp16_128x64_ldg8_f2f_stages_64x4_nn", 1},
        {"volta_fp16_s884gemm_fp16_64x64_ldg8_f2f_nn", 1},
        {"turing_h1688gemm_128x128_ldg8_nn", 1},
        {"void gemmSN_TN_kernel_half<128, 16, 2, 4>(...)", 1},
        {"void gemmk1_kernel<int, float, 256, 5>(...)", 1},
        {"std::enable_if<!(false), void>::type internal::gemvx::kernel<int, int>(...)", 1},
        {"void gemv2T_kernel_val<int, int, __half>(...)", 1},
        {"void cutlass::Kernel<cutlass::gemm::kernel::Gemm<cutlass::gemm::threadblock::Mma>>", 0},
        {"void cutlass::Kernel2<cutlass::gemm::kernel::GemmUniversal<cute::tuple<int>>>", 0},
        {"void cutlass::device_kernel<cutlass::gemm::kernel::GemmUniversal<cute::tuple>>", 0},
        {"void cutlass::device_kernel<(anonymous namespace)::Kernel>(Params)", 0},
        {"gemm_device(float*)", 0},
        {"void gemm<128, 128>(__half const*)", 0},
        {"ampere_gemm_kernel(__half*)", 0},
        {"ampere_s16816gemm_mine(__half*)", 0},
        {"hopper_hgemm(__half*)", 0},
        {"ampere_hgemm_128x128", 0},
        {"splitKreduce_kernel(__half*)", 0},
        {"sm90_hgemm(__half*)", 0},
        {"faster_than_cublas(__half*)", 0},
    };
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        if (facts_is_library(kernels[i].name) != kernels[i].library)
            fail_msg("%s", kernels[i].name);
}

/* A library is called to tune in setup. A flood of other kernels does not hide it. */
TEST_WITH(library_kernels_are_found_wherever_they_are, forget, NULL) {
    for (int flood = 0; flood < 2; flood++) {
        forget(NULL);
        facts_begin(&facts, false);
        for (int i = 0; i < flood * (FACTS_MOST + 9); i++) {
            char name[32];
            snprintf(name, sizeof name, "mine%d", i);
            launch(name, 1, false);
        }
        launch("nvjet_hsh", 1, false);
        launch("mine", 1, false);
        facts_end(&facts);
        assert_int_equal(facts.seen_count, flood ? FACTS_MOST : 2);
        is_found(FINDING_LIBRARY_GEMM,
                 flood ? "nvjet_hsh, 12 times in setup" : "nvjet_hsh, 1 time in setup");
    }
}

TEST_WITH(facts_of_a_hostile_process_are_within_bounds, forget, NULL) {
    static struct facts hostile, taken;
    memset(&hostile, 0xff, sizeof hostile);
    facts_take(&hostile, &taken);
    assert_int_equal(taken.seen_count, FACTS_MOST);
    for (int i = 0; i < FACTS_MOST; i++)
        assert_int_equal(strlen(taken.seen[i].name), FACTS_NAME - 1);
    char text[300];
    assert_in_range(facts_judge(&taken, WORKSPACE, list), FACTS_MOST, FACTS_FINDINGS);
    facts_summary(&taken, text, sizeof text);
}

TEST_WITH(texts_are_printable, forget, NULL) {
    launch("nvjet_\033[31m\n\xc3", 1, false);
    is_found(FINDING_LIBRARY_GEMM, "nvjet_ [31m  , 1 time in setup");
}

TEST(kinds_have_words_of_their_own) {
    for (int i = 0; i < FINDING_COUNT; i++) {
        const char *word = finding_words[i].word;
        assert_int_equal(strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789-"), strlen(word));
        assert_true(strlen(finding_words[i].sentence) > strlen("is odd"));
        for (int k = 0; k < i; k++)
            assert_string_not_equal(word, finding_words[k].word);
    }
}

TEST(a_kind_is_a_fact_or_refused) {
    assert_false(finding_is_refused(FINDING_SELF_TUNING));
    assert_string_equal(finding_words[FINDING_SELF_TUNING].level, "fact");
    assert_true(finding_is_refused(FINDING_WORKSPACE));
    assert_string_equal(finding_words[FINDING_WORKSPACE].level, "refused");
}

TEST_WITH(the_summary_is_of_the_later_calls, forget, NULL) {
    char text[300];
    for (int call = 1; call <= 3; call++) {
        facts_begin(&facts, true);
        facts_add_function(&facts, "cuMemsetD32Async");
        facts_add_function(&facts, "cuMemAlloc_v2");
        facts_add_function(&facts, "cuMemFree_v2");
        launch("small", 1, false);
        launch(call == 1 ? "tuning" : "main", 9, false);
        facts_end(&facts);
    }
    facts_summary(&facts, text, sizeof text);
    assert_string_equal(text, "a call: 2 kernels, 1 fills, 0 copies, 2 allocations, 0 syncs; main "
                              "9x1x1 blocks of 32x2x1, 64 bytes of dynamic shared memory: main");
}
