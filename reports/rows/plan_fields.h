/* plan.json: everything that decides what comes out of a run, a field a row. bench/plan/plan.c
 * writes the fields. The comparisons of plans and of runs read here what two runs must share.
 *
 * X(name, sameness, value, unit, meaning)
 *
 *     sameness OWN: runs of one plan may differ in it. SAME: they have the same. ALIKE: so have runs whose
 *              numbers are compared; it is part of the fingerprint
 *     value    how plan.c makes it of struct plan, by its macros of these names:
 *              INTEGER, REAL, FLAG, TEXT (member); WORD (member, list of words);
 *              WORDS (bits, list of words); MADE (function) */
#ifndef REPORTS_ROWS_PLAN_FIELDS_H
#define REPORTS_ROWS_PLAN_FIELDS_H

/* Their order is part of the fingerprint's key. clang-format off */
#define PLAN_FIELDS(X)                                                                             \
    X(format, SAME, MADE(format), "", "the format of the run directory")                           \
    X(device, OWN, TEXT(device_kind), "", "the kind; manifest.json names the devices")             \
    X(suite, OWN, TEXT(suite.name), "", "what the list of shapes is called")                       \
    X(shapes, SAME, MADE(shapes), "", "MxNxK each, in the suite's order")                          \
    X(counts, SAME, MADE(counts), "", "how often each is called; only of a suite that says so")    \
    X(element, ALIKE, WORD(element, element_words), "", "what all operands are made of")           \
    X(accumulate, ALIKE, MADE(accumulate), "", "what partial sums are kept in")                    \
    X(protocol, ALIKE, WORD(protocol, plan_protocol_names), "", "when timing ends")                \
    X(cache, ALIKE, WORD(cache, words_caches), "", "the last-level cache before a call")           \
    X(inputs, ALIKE, WORD(inputs, timed_inputs_words), "", "what timed calls multiply")            \
    X(qps, ALIKE, REAL(qps), "1/s", "server mode: mean rate of calls")                             \
    X(launch_us, ALIKE, REAL(launch_us), "us",                                                     \
      "the launch that call and wait are stated at; 0: as measured")                               \
    X(workspace_bytes, ALIKE, INTEGER(workspace_bytes), "B",                                       \
      "scratch memory of a library or kernel")                                                     \
    X(autotune, ALIKE, WORD(finalists, plan_autotune_names), "",                                   \
      "how a library's algorithm is chosen")                                                       \
    X(autotune_lens, SAME, WORD(tune_lens, words_lenses), "", "by which lens it is chosen")        \
    X(autotune_warmup, SAME, INTEGER(tune_warmup), "", "rounds before the timed ones of a choice") \
    X(autotune_rounds, SAME, INTEGER(tune_rounds), "", "timed rounds of a choice")                 \
    X(set, SAME, TEXT(set.name), "", "name of the kernels under test")                             \
    X(candidates, SAME, MADE(candidates), "", "label, file and hash of each")                      \
    X(previous, SAME, MADE(previous), "", "the same of an earlier release; null: there is none")   \
    X(removed, SAME, MADE(removed), "", "kernels that the earlier release alone has")              \
    X(carried, SAME, MADE(carried), "",                                                            \
      "units left out, since their kernels are as they were; absent: none")                        \
    X(baselines, SAME, MADE(baselines), "", "the libraries")                                       \
    X(modes, SAME, WORDS(mode_bits(plan), words_modes), "",                                        \
      "none: the kernels are checked, not timed")                                                  \
    X(lenses, SAME, WORDS(plan->lenses, words_lenses), "", "the intervals that are read")          \
    X(precise_lenses, SAME, WORDS(plan->lenses & plan->precise, words_lenses), "",                 \
      "those that are timed until the precision is reached")                                       \
    X(precise_ratios, SAME, WORD(precise_previous, ratio_names), "",                               \
      "all, or those to the previous release alone")                                               \
    X(precision, SAME, REAL(precision), "", "half-width of a ratio's interval; 0.01: 1 %")         \
    X(visits, SAME, INTEGER(visits), "", "visits to a unit")                                       \
    X(warmup_seconds, SAME, REAL(warmup_seconds), "s", "a shape and mode")                         \
    X(duration_seconds, SAME, REAL(duration_seconds), "s",                                         \
      "timing a shape and mode, over all visits")                                                  \
    X(seed, OWN, MADE(seed), "", "as text, since JSON numbers lose integers past 2^53")            \
    X(call_timeout_seconds, SAME, REAL(call_timeout_seconds), "s",                                 \
      "limit of a call; 0: by the product's size")                                                 \
    X(setup_timeout_seconds, SAME, REAL(setup_timeout_seconds), "s", "limit of a kernel's setup")  \
    X(alpha, SAME, REAL(alpha), "", "weight of the deviation in the paper's reward")               \
    X(beta, SAME, REAL(beta), "", "weight of the code's length in it")                             \
    X(memcheck, SAME, FLAG(memcheck), "", "a call a shape is made under compute-sanitizer")        \
    X(energy, SAME, FLAG(energy), "", "what a call draws is measured, too")                        \
    X(peak_tflops, SAME, MADE(peak_tflops), "TFLOP/s",                                             \
      "what the tensor cores of a card do at best, as it was given; absent: by the manifest")      \
    X(sandbox, SAME, FLAG(sandbox), "", "kernels are locked into the sandbox")                     \
    X(only, SAME, MADE(only), "", "true where only some units were wanted; else absent")           \
    X(units, SAME, MADE(units), "", "their names, in the order of the rows")
/* clang-format on */

#endif
