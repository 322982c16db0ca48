#include "bench/command/options/option_table.h"

#include <stdio.h>
#include <string.h>

#include "bench/plan/plan.h"
#include "reports/gate/gate_policy.h"
#include "reports/rows/samples.h"

/* Sets of commands. MEASURING ones turn their options into a plan. */
#define OF(id) ((uint32_t)1 << COMMAND_##id)
#define RUN_OR_CHECK (OF(RUN) | OF(CHECK))
#define VERDICT (OF(COMPARE) | OF(GATE))
#define MEASURING (RUN_OR_CHECK | VERDICT)
#define LISTS                                                                                      \
    (OF(DEVICES) | OF(LIST_BASELINES) | OF(LIST_SUITES) | OF(LIST_CANDIDATES) |                    \
     OF(BASELINE_LIST) | OF(BASELINE_SHOW))
#define STORE (OF(BASELINE_PROMOTE) | OF(BASELINE_LIST) | OF(BASELINE_SHOW) | OF(HISTORY))

/* The field's place, where its type is that of the row. */
#define AT(c_type, field)                                                                          \
    .offset = offsetof(struct settings, field) +                                                   \
              0 * sizeof(struct {                                                                  \
                  _Static_assert(_Generic(((struct settings *)0)->field, c_type : 1, default : 0), \
                                 #field " is of another type than its option");                    \
                  int unused;                                                                      \
              })
#define FLAG(field) .type = OPTION_FLAG, AT(bool, field)
#define TEXT(field, called) .type = OPTION_TEXT, AT(const char *, field), .value = called
#define REAL(field, low, high, called)                                                             \
    .type = OPTION_REAL, AT(double, field), .least = (low), .most = (high), .value = called
#define WHOLE(field, low, high, called)                                                            \
    .type = OPTION_WHOLE, AT(int, field), .least = (low), .most = (high), .value = called
#define NATURAL(field, called) .type = OPTION_NATURAL, AT(uint64_t, field), .value = called
#define WORD(field, names, count)                                                                  \
    .type = OPTION_WORD, AT(int, field), .words = (names), .word_count = (count)
#define WORDS(field, names, count)                                                                 \
    .type = OPTION_WORDS, AT(int, field), .words = (names), .word_count = (count)
#define IN(id) .group = OPTION_GROUP_##id
#define DAY 86400 /* seconds */

/* May be given again; has no meaning for what is measured already; the same, of all who measure. */
#define AGAIN .last_counts = true
#define AGAIN_MEASURING AGAIN, .of_measuring = true
#define MEASURED AGAIN_MEASURING, .commands = MEASURING

const char *const option_group_titles[OPTION_GROUP_COUNT] = {
#define X(id, title) title,
    OPTION_GROUPS(X)
#undef X
};

static const char *const fail_on_words[2] = {"nothing", "refused"};

const char *const settings_accumulates[2] = {"f32", "f16"};
const char *const settings_references[2] = {"gpu", "cpu"};
const char *const settings_replays[2] = {"on", "off"};

const struct option_row option_table[] = {
    /* What is measured */
    {"suite", IN(WHAT), TEXT(suite, "NAME|FILE"), .of_measuring = true, .commands = MEASURING,
     .help =
         "which shapes: a suite of `gemmgate list suites`, or a CSV file with columns m, n, k and, "
         "of real calls, count; # begins a comment, and a column like batch, dtype or layout is "
         "refused"},
    {"shapes", IN(WHAT), TEXT(shapes, "LIST"), .of_measuring = true, .commands = MEASURING,
     .help = "which shapes: MxNxK,MxNxK,... instead of a suite"},
    {"suite", IN(WHAT), TEXT(suite, "NAME|FILE"), .commands = OF(BUILD), .otherwise = "all kernels",
     .help = "only the kernels for these shapes: a suite of `gemmgate list suites`, or a CSV file"},
    {"shapes", IN(WHAT), TEXT(shapes, "LIST"), .commands = OF(BUILD), .otherwise = "all kernels",
     .help = "only the kernels for these shapes: MxNxK,MxNxK,..."},
    {"sample", IN(WHAT), WHOLE(sample, 1, 1e6, "N"), AGAIN, .commands = OF(BUILD),
     .otherwise = "all",
     .help = "only N shapes of the suite, as a run with this --seed draws them"},
    {"seed", IN(WHAT), NATURAL(seed, "N"), AGAIN, .commands = OF(BUILD),
     .help = "with --sample: the seed of the run"},
    {"sample", IN(WHAT), WHOLE(sample, 1, 1e6, "N"), MEASURED, .otherwise = "all",
     .help = "only N shapes of the suite, spread over its sizes"},
    {"candidates", IN(WHAT), TEXT(candidates, "DIR"), .commands = RUN_OR_CHECK,
     .help = "the kernels under test: a folder, or cuda-l2:DIR for a CUDA-L2 release",
     .otherwise = "only the libraries are run"},
    {"candidates", IN(WHAT), TEXT(candidates, "DIR"), .commands = OF(GATE),
     .help = "the kernels to judge: a folder, or cuda-l2:DIR for a CUDA-L2 release"},
    {"candidates", IN(WHAT), TEXT(candidates, "DIR"), .commands = OF(BUILD), .needed = OF(BUILD),
     .help = "the kernels to compile: a folder, or cuda-l2:DIR"},
    {"against", IN(WHAT), TEXT(against, "DIR"), .commands = RUN_OR_CHECK,
     .help = "an earlier release of these kernels, timed beside them"},
    {"against", IN(WHAT), TEXT(against, "DIR"), .commands = OF(GATE),
     .help = "what to compare with: the kernels of an earlier release, which are timed beside "
             "these; or a store of runs; or a run"},
    {"cutlass", IN(WHAT), TEXT(cutlass, "DIR"), .of_measuring = true,
     .commands = MEASURING | OF(BUILD) | OF(LIST_CANDIDATES),
     .help = "the CUTLASS source tree, for kernels that include it"},
    {"baselines", IN(WHAT), TEXT(baselines, "all|LIST"), AGAIN_MEASURING, .commands = RUN_OR_CHECK,
     .initial = "all", .help = "which libraries, by the names of `gemmgate list baselines`"},
    {"baselines", IN(WHAT), TEXT(baselines, "all|LIST"), AGAIN_MEASURING, .commands = OF(COMPARE),
     .otherwise = "the plainest one, in both layouts",
     .help = "which libraries, by the names of `gemmgate list baselines`"},
    {"baselines", IN(WHAT), TEXT(baselines, "all|LIST"), AGAIN_MEASURING, .commands = OF(GATE),
     .otherwise = "the plainest one, in both layouts, and those that the policy wants beaten",
     .help = "which libraries, by the names of `gemmgate list baselines`"},
    {"element", IN(WHAT), WORD(element, element_words, ELEMENT_COUNT), MEASURED, .initial = "f16",
     .help = "what A, B and C are made of: binary16 or bfloat16"},
    {"element", IN(WHAT), WORD(element, element_words, ELEMENT_COUNT), AGAIN, .commands = OF(BUILD),
     .initial = "f16", .help = "what kernels with `call` in gemmgate.ini are compiled for"},
    {"accumulate", IN(WHAT), WORD(accumulate, settings_accumulates, 2), MEASURED, .initial = "f32",
     .help = "what partial sums are kept in"},
    {"device", IN(WHAT), TEXT(device, "DEVICE"), MEASURED, .otherwise = "the best there is",
     .help = "host or cuda:N; see `gemmgate devices`"},

    /* How it is timed */
    {"mode", IN(HOW), WORDS(modes, words_modes, MODE_COUNT), MEASURED, .otherwise = "offline",
     .help = "offline: calls follow one another. server: a random gap before each call"},
    {"lens", IN(HOW), WORDS(lenses, words_lenses, LENS_COUNT), MEASURED,
     .otherwise = "call, device and stream, as far as the device has them; with --protocol paper, "
                  "call",
     .help = "which interval is read. call: one call on an idle device, as a caller that waits "
             "sees it. device: what one call costs the GPU, without the host. stream: many calls "
             "in a row, divided by their number. wait: as call, by the host's clock in the place "
             "of events, until the device is idle"},
    {"mode", IN(HOW), WORDS(modes, words_modes, MODE_COUNT), AGAIN, .commands = OF(WINNERS),
     .otherwise = "offline, if it was measured", .help = "of which mode"},
    {"lens", IN(HOW), WORDS(lenses, words_lenses, LENS_COUNT), AGAIN, .commands = OF(WINNERS),
     .otherwise = "device, or call if that was not measured", .help = "by which lens"},
    {"protocol", IN(HOW), WORD(protocol, plan_protocol_names, PROTOCOL_COUNT), MEASURED,
     .initial = "fast",
     .help = "when timing ends. fast: when every ratio is known to --precision, or after 2 s of "
             "warm-up and 4 s of timing a shape and mode, or 0.96 s where device times are taken "
             "on the stage (twice that where other shapes saved time). paper: after 10 s of "
             "warm-up and 30 s of timing"},
    {"precision", IN(HOW), REAL(precision_percent, 0.01, 100, "PERCENT"), MEASURED, .initial = "1",
     .help = "with --protocol fast: half the width of the 95 % intervals to reach"},
    {"warmup", IN(HOW), REAL(warmup_seconds, 0, DAY, "S"), AGAIN_MEASURING,
     .commands = RUN_OR_CHECK | OF(COMPARE), .otherwise = "as --protocol says",
     .help = "seconds of warm-up a shape and mode"},
    {"warmup", IN(HOW), REAL(warmup_seconds, 0, DAY, "S"), AGAIN_MEASURING, .commands = OF(GATE),
     .otherwise = "as --protocol says; beside an earlier release, where no library must be beaten, "
                  "0.5",
     .help = "seconds of warm-up a shape and mode"},
    {"duration", IN(HOW), REAL(duration_seconds, 0.001, DAY, "S"), MEASURED,
     .otherwise = "as --protocol says",
     .help = "seconds of timing a shape and mode, over all visits"},
    {"visits", IN(HOW), WHOLE(rounds, 1, SAMPLES_ROUNDS, "R"), AGAIN_MEASURING,
     .commands = RUN_OR_CHECK,
     .otherwise =
         "12 where device times are taken on the stage, else 4; with --protocol paper, and "
         "of a check, 1",
     .help = "how often a shape is measured anew, each time at another time: all shapes once, then "
             "all again. One visit in three, or without a stage each, has a process of the "
             "kernel's own"},
    {"visits", IN(HOW), WHOLE(rounds, 1, SAMPLES_ROUNDS, "R"), AGAIN_MEASURING,
     .commands = OF(COMPARE), .otherwise = "12 where device times are taken on the stage, else 4",
     .help = "how often a shape is measured anew, at least 2"},
    {"visits", IN(HOW), WHOLE(rounds, 1, SAMPLES_ROUNDS, "R"), AGAIN_MEASURING,
     .commands = OF(GATE), .otherwise = "screening_rounds of the policy: 4",
     .help = "how often a shape is measured anew, at least 2"},
    {"cache", IN(HOW), WORD(cache, words_caches, CACHE_COUNT), MEASURED, .initial = "warm",
     .help = "the last-level cache before a call. warm: A and B were just read. cold: swept"},
    {"qps", IN(HOW), REAL(qps, 0.01, 1e6, "Q"), MEASURED, .initial = "100",
     .help = "server mode: calls a second, on average"},
    {"seed", IN(HOW), NATURAL(seed, "N"), MEASURED,
     .otherwise = "random, and recorded in plan.json", .help = "seed of inputs, order and gaps"},
    {"workspace", IN(HOW), REAL(workspace_mib, 0, 1 << 20, "MIB"), MEASURED, .initial = "32",
     .help = "scratch memory of a library or kernel, in MiB"},
    {"autotune", IN(HOW), WORD(autotune, plan_autotune_names, 2), MEASURED,
     .otherwise = "halving; with --protocol paper, paper",
     .help = "how a library's algorithm is chosen. paper: all are timed alike. halving: the slower "
             "half is dropped again and again"},
    {"autotune-lens", IN(HOW), WORD(tune_lens, words_lenses, LENS_COUNT), MEASURED,
     .otherwise = "device, or if that is not timed the first lens; with --autotune paper, call",
     .help = "by which lens a library's algorithm is chosen"},
    {"autotune-warmup", IN(HOW), WHOLE(tune_warmup, 0, 1e6, "N"), MEASURED, .initial = "50",
     .help = "with --autotune paper: rounds before the timed ones"},
    {"autotune-rounds", IN(HOW), WHOLE(tune_rounds, 1, 1e6, "N"), MEASURED, .initial = "100",
     .help = "with --autotune paper: timed rounds"},

    /* How kernels are checked */
    {"policy", IN(CHECKS), TEXT(policy, "FILE"), .of_measuring = true,
     .commands = RUN_OR_CHECK | OF(COMPARE),
     .help = "an INI file: which findings of the audits are noted (info), warned of (warn) or "
             "refuse a kernel (reject)"},
    {"policy", IN(JUDGED), TEXT(policy, "FILE"), .commands = OF(GATE), .tell = gate_policy_tell,
     .help = "an INI file: margins, rounds, libraries that must be beaten, and which findings of "
             "the audits are noted, warned of or refuse a kernel"},
    {"no-audit", IN(CHECKS), FLAG(no_audit), MEASURED,
     .help = "skip the audits, which record what kernels ask of CUDA (they need CUPTI)"},
    {"reference", IN(CHECKS), WORD(reference, settings_references, 2), MEASURED,
     .otherwise = "gpu; on the host device cpu",
     .help =
         "who makes the FP32 products that C is compared with. gpu: the device, in a process "
         "that loads no kernel, checked on the processor each time. cpu: the processor, slower"},
    {"replay", IN(CHECKS), WORD(replay, settings_replays, 2), MEASURED,
     .otherwise = "on; off on the host device, which has none",
     .help = "on: record what a kernel has the GPU do, carry it out in a process without the "
             "kernel's library, and compare products and times (needs CUPTI)"},
    {"no-sandbox", IN(CHECKS), FLAG(no_sandbox), AGAIN_MEASURING, .commands = MEASURING | OF(BUILD),
     .help = "run compilers and kernels outside of the sandbox"},
    {"memcheck", IN(CHECKS), FLAG(memcheck), MEASURED,
     .help = "also make one call a shape under compute-sanitizer, outside of the sandbox"},

    /* Time limits */
    {"call-timeout", IN(LIMITS), REAL(call_timeout_seconds, 0.01, DAY, "S"), MEASURED,
     .otherwise = "10 s, and more by size", .help = "limit of one call"},
    {"setup-timeout", IN(LIMITS), REAL(setup_timeout_seconds, 0.01, DAY, "S"), MEASURED,
     .initial = "60", .help = "limit of a kernel's setup"},
    {"shape-timeout", IN(LIMITS), REAL(shape_timeout_seconds, 0.01, DAY, "S"), MEASURED,
     .otherwise = "none", .help = "limit of a kernel's setup and checks on a shape"},

    /* How it is judged */
    {"margin", IN(JUDGED), REAL(margin_percent, 0.01, 100, "PERCENT"), AGAIN,
     .commands = OF(COMPARE) | OF(WINNERS), .otherwise = "2",
     .help = "a difference up to this counts as none"},
    {"weights", IN(JUDGED), TEXT(weights, "FILE"), .commands = OF(COMPARE) | OF(WINNERS),
     .otherwise = "the counts of the run's suite, or 1",
     .help = "a CSV file: how often each shape is called (columns m, n, k and weight or count)"},
    {"baseline", IN(JUDGED), TEXT(baseline, "NAME"), AGAIN, .commands = OF(COMPARE),
     .otherwise = "the strongest that both have",
     .help = "the library through which two runs are compared"},
    {"baseline", IN(JUDGED), TEXT(baseline, "NAME"), AGAIN, .commands = OF(REWARD),
     .otherwise = "the strongest there is",
     .help = "the library that kernels are rewarded against"},
    {"baseline", IN(JUDGED), TEXT(baseline, "NAME"), .commands = OF(HISTORY),
     .otherwise = "cublas-max, or the first there is",
     .help = "the library that ratios are taken to"},
    {"release", IN(JUDGED), FLAG(release), AGAIN, .commands = OF(GATE),
     .help = "what is undecided counts as the policy says of a release"},
    {"changed", IN(JUDGED), TEXT(changed, "DIR"), .of_measuring = true, .commands = OF(GATE),
     .help =
         "as --against DIR, but only kernels whose compiled files differ are measured; the others "
         "are counted as carried over"},
    {"renamed", IN(JUDGED), TEXT(renamed, "OLD=NEW,..."), .commands = OF(RUN) | VERDICT,
     .help = "kernels of the earlier set that have another name in the new one: each pair is "
             "compared"},
    {"fail-on", IN(JUDGED), WORD(fail_on, fail_on_words, 2), AGAIN,
     .commands = OF(RUN) | OF(COMPARE) | OF(BUILD), .initial = "nothing",
     .help =
         "refused: end with 6 where a kernel was refused, or does not compile, and with 5 where "
         "this machine lacks what one needs"},
    {"fail-on", IN(JUDGED), WORD(fail_on, fail_on_words, 2), AGAIN, .commands = OF(CHECK),
     .initial = "refused",
     .help =
         "refused: end with 6 where a kernel was refused, and with 5 where this machine lacks what "
         "one needs. nothing: end with 0"},
    {"absolute", IN(JUDGED), FLAG(absolute), AGAIN, .commands = OF(GATE),
     .help = "where there is no earlier kernel to compare with, or each was refused, the other "
             "rules decide alone"},
    {"native", IN(JUDGED), FLAG(native), AGAIN, .commands = OF(WINNERS),
     .help = "a kernel may win by a number that is native: one that was timed in the kernel's own "
             "process, since its work cannot be recorded"},
    {"force", IN(JUDGED), TEXT(force, "REASON"), .commands = OF(BASELINE_PROMOTE),
     .help =
         "keep a run that would be refused for its gate's verdict or for want of one, for shapes "
         "that it lacks, or as one that is there; the store keeps the reason and shows it"},
    {"entry", IN(JUDGED), TEXT(entry, "NAME"), AGAIN, .commands = OF(GATE),
     .otherwise = "the newest that fits", .help = "which run of the store to compare with"},
    {"alpha", IN(JUDGED), REAL(alpha, 0, 1e9, "A"), AGAIN_MEASURING,
     .commands = MEASURING | OF(REWARD), .initial = "1",
     .help = "weight of the deviation in the paper's reward"},
    {"beta", IN(JUDGED), REAL(beta, 0, 1e9, "B"), AGAIN_MEASURING,
     .commands = MEASURING | OF(REWARD), .initial = "0",
     .help = "weight of the code's length in the paper's reward"},

    /* Files and machine */
    {"output", IN(WHERE), .letter = 'o', TEXT(output, "RUN"), .of_measuring = true,
     .commands = RUN_OR_CHECK | OF(GATE) | OF(MERGE) | OF(IMPORT_CUDA_L2),
     .needed = RUN_OR_CHECK | OF(MERGE) | OF(IMPORT_CUDA_L2), .help = "the run directory to make"},
    {"output", IN(WHERE), .letter = 'o', TEXT(output, "FOLDER"), .commands = OF(COMPARE),
     .help = "the run directory to make; for what is measured already, the folder that the "
             "comparison is written to"},
    {"output", IN(WHERE), .letter = 'o', TEXT(output, "FOLDER"), .commands = OF(WINNERS),
     .help = "the folder that the winners are written to"},
    {"output", IN(WHERE), .letter = 'o', TEXT(output, "FOLDER"), .commands = OF(HISTORY),
     .help = "the folder that history.html, history.png and history.svg are written to"},
    {"output", IN(WHERE), .letter = 'o', TEXT(output, "FOLDER"), .commands = OF(FACTORS),
     .needed = OF(FACTORS), .help = "the folder that the page and its figures are written to"},
    {"resume", IN(WHERE), FLAG(resume), MEASURED, .help = "go on with a run that was stopped"},
    {"shard", IN(WHERE), TEXT(shard, "I/N|auto"), AGAIN_MEASURING,
     .commands = RUN_OR_CHECK | OF(GATE), .otherwise = "the whole",
     .help = "only the I-th of N parts, from 1; auto: as Slurm or Kubernetes says"},
    {"arch", IN(WHERE), TEXT(arch, "80|86|89|90a"), AGAIN, .commands = OF(BUILD),
     .otherwise = "as gemmgate.ini of the set says",
     .help = "the GPU architecture to compile CUDA sources for"},
    {"cache-dir", IN(WHERE), TEXT(cache_dir, "DIR"), AGAIN_MEASURING,
     .commands = MEASURING | OF(BUILD),
     .otherwise = "$GEMMGATE_CACHE, $XDG_CACHE_HOME/gemmgate or ~/.cache/gemmgate",
     .help = "where compiled kernels are kept"},
    {"jobs", IN(WHERE), WHOLE(jobs, 1, 1024, "N"), AGAIN_MEASURING,
     .commands = MEASURING | OF(BUILD), .otherwise = "one a core", .help = "compilers at once"},
    {"store", IN(WHERE), TEXT(store, "STORE"), .commands = STORE, .needed = STORE,
     .help = "the store of runs"},
    {"name", IN(WHERE), TEXT(name, "NAME"), .commands = OF(BASELINE_PROMOTE),
     .otherwise = "made of the date", .help = "what the run is called in the store"},
    {"shape", IN(WHAT), TEXT(shape, "MxNxK"), .commands = OF(HISTORY),
     .otherwise = "one page over all shapes", .help = "which shape"},
    {"shape", IN(WHAT), TEXT(shape, "MxNxK"), .commands = OF(REPORT), .otherwise = "the whole run",
     .help =
         "this shape alone, as RUN/report/MxNxK.html: times of all arms, every sample, findings"},
    {"claims", IN(WHERE), TEXT(claims, "FILE"), .commands = OF(REPORT),
     .help = "a file of what others say of these kernels, to be set beside the run"},
    {"published", IN(WHERE), TEXT(published, "RUN"), .commands = OF(REPORT),
     .help = "a run of what others have published of these kernels"},
    {"again", IN(WHERE), TEXT(again, "RUN"), .commands = OF(REPORT) | OF(BASELINE_PROMOTE),
     .help = "another run of the same plan, and more after it: how far they agree, and by how much "
             "cards differ; a report puts runs on other devices side by side"},
    {"offline", IN(WHERE), TEXT(offline, "FILE"), .commands = OF(IMPORT_CUDA_L2),
     .help = "offline mode: CSV of the ratios"},
    {"json", IN(WHERE), FLAG(json), AGAIN,
     .commands = LISTS | VERDICT | OF(AGREE) | OF(CHECK) | OF(HISTORY) | OF(VERIFY) | OF(WINNERS),
     .help = "print JSON, for programs"},
    {"server", IN(WHERE), TEXT(server, "FILE"), .commands = OF(IMPORT_CUDA_L2),
     .help = "the same in server mode"},
};
const size_t option_count = sizeof option_table / sizeof *option_table;
_Static_assert(sizeof option_table / sizeof *option_table <= SETTINGS_OPTIONS,
               "SETTINGS_OPTIONS is too small");

bool option_is_of(const struct option_row *row, enum command_id command) {
    return row->commands & (uint32_t)1 << command;
}

bool option_is_needed(const struct option_row *row, enum command_id command) {
    return row->needed & (uint32_t)1 << command;
}

const struct option_row *option_find(enum command_id command, const char *name) {
    for (size_t i = 0; i < option_count; i++)
        if (option_is_of(&option_table[i], command) && strcmp(option_table[i].name, name) == 0)
            return &option_table[i];
    return NULL;
}

bool option_is_given(const struct settings *settings, size_t offset) {
    for (size_t i = 0; i < option_count; i++)
        if (option_table[i].offset == offset && settings->given[i])
            return true;
    return false;
}

const char *option_spelling(const struct option_row *row, char text[OPTION_SPELLING]) {
    if (row->letter)
        snprintf(text, OPTION_SPELLING, "-%c", row->letter);
    else
        snprintf(text, OPTION_SPELLING, "--%s", row->name);
    return text;
}

const char *option_value(const struct option_row *row, char text[OPTION_VALUE]) {
    size_t used = (size_t)snprintf(text, OPTION_VALUE, "%s", row->value ? row->value : "");
    for (int i = 0; i < row->word_count && used < OPTION_VALUE; i++)
        used += (size_t)snprintf(text + used, OPTION_VALUE - used, "%s%s",
                                 i == 0                      ? ""
                                 : row->type == OPTION_WORDS ? ","
                                                             : "|",
                                 row->words[i]);
    return text;
}
