#include "bench/command/options/option_table.h"

#include <stdio.h>
#include <string.h>

#include "bench/base/element.h"
#include "bench/base/text.h"
#include "bench/base/words.h"
#include "bench/plan/plan.h"
#include "reports/gate/gate_policy.h"
#include "reports/rows/samples.h"

/* Sets of commands. MEASURING ones turn their options into a plan. */
#define OF(id) ((uint32_t)1 << COMMAND_##id)
#define RUN_OR_CHECK (OF(RUN) | OF(CHECK))
#define VERDICT (OF(COMPARE) | OF(GATE))
#define MEASURING (RUN_OR_CHECK | VERDICT)
#define LISTS                                                                                      \
    (OF(DEVICES) | OF(LIST_BASELINES) | OF(LIST_SUITES) | OF(LIST_CANDIDATES) | OF(LIST_COLUMNS) | \
     OF(BASELINE_LIST))
#define IMPORTING (OF(IMPORT_CUDA_L2) | OF(IMPORT))
#define STORE (OF(BASELINE_PROMOTE) | OF(BASELINE_LIST) | OF(HISTORY))

/* The field's place, where its type is that of the row. An enum is an unsigned int. */
#define AT(c_type, field)                                                                          \
    .offset = offsetof(struct settings, field) +                                                   \
              0 * sizeof(struct {                                                                  \
                  _Static_assert(_Generic(((struct settings *)0)->field, c_type : 1, default : 0), \
                                 #field " is of another type than its option");                    \
                  int unused;                                                                      \
              })
#define FLAG(field) .type = OPTION_FLAG, AT(bool, field)
#define TEXT(field) .type = OPTION_TEXT, AT(const char *, field)
#define ONE(field) TEXT(field), .once = true
#define REAL(field, low, high)                                                                     \
    .type = OPTION_REAL, AT(double, field), .least = (low), .most = (high)
#define WHOLE(field, low, high) .type = OPTION_WHOLE, AT(int, field), .least = (low), .most = (high)
#define NATURAL(field) .type = OPTION_NATURAL, AT(uint64_t, field)
#define WORD(field, list) .type = OPTION_WORD, AT(ANY_INT, field), .words = (list)
#define ANY_INT int : 1, unsigned
#define WORDS(field, list) .type = OPTION_WORDS, AT(int, field), .words = (list)
#define IN(id) .group = OPTION_GROUP_##id
#define DAY 86400 /* seconds */

const char *const option_group_titles[OPTION_GROUP_COUNT] = {
#define X(id, title) title,
    OPTION_GROUPS(X)
#undef X
};

static const char *const fail_on_words[] = {"nothing", "refused", NULL};

const char *const settings_accumulates[] = {"f32", "f16", NULL};

const struct option_row option_table[] = {
    /* What is measured */
    {"suite", IN(WHAT), ONE(suite), .commands = MEASURING | OF(BUILD),
     .text = {"which shapes: a suite of `gemmgate list suites`, or a CSV file with columns m, n, k "
              "and, of real calls, count; # begins a comment, and a column like batch, dtype or "
              "layout is refused",
              "NAME|FILE"}},
    {"shapes", IN(WHAT), ONE(shapes), .commands = MEASURING | OF(BUILD),
     .text = {"which shapes: MxNxK,MxNxK,... instead of a suite", "LIST"}},
    {"sample", IN(WHAT), WHOLE(sample, 1, 1e6), .commands = MEASURING | OF(BUILD),
     .text = {"only N shapes of the suite, spread over its sizes; one --seed draws the same ones",
              "N", .otherwise = "all"}},
    {"candidates", IN(WHAT), ONE(candidates), .commands = RUN_OR_CHECK | OF(GATE) | OF(BUILD),
     .needed = OF(BUILD), .judging = OF(GATE),
     .text = {"the kernels: a folder, or cuda-l2:DIR for a CUDA-L2 release", "DIR"}},
    {"against", IN(WHAT), ONE(against), .commands = RUN_OR_CHECK | OF(GATE), .judging = OF(GATE),
     .text = {"what to compare with: the kernels of an earlier release, which are timed beside "
              "these; of a gate also a store of runs, or a run",
              "DIR"}},
    {"cutlass", IN(WHAT), ONE(cutlass), .commands = MEASURING | OF(BUILD) | OF(LIST_CANDIDATES),
     .text = {"the CUTLASS source tree, for kernels that include it", "DIR"}},
    {"baselines", IN(WHAT), TEXT(baselines), .commands = MEASURING,
     .text = {"which libraries, by the names of `gemmgate list baselines`", "all|LIST",
              .otherwise = "all; of a comparison and a gate the plainest one, in both layouts, and "
                           "those that the policy wants beaten"}},
    {"element", IN(WHAT), WORD(plan.element, element_words),
     .commands = MEASURING | OF(BUILD) | OF(IMPORT),
     .text = {"what A, B and C are made of: binary16 or bfloat16", .initial = "f16"}},
    {"accumulate", IN(WHAT), WORD(accumulate, settings_accumulates),
     .commands = MEASURING | OF(IMPORT),
     .text = {"what partial sums are kept in", .initial = "f32"}},
    {"device", IN(WHAT), TEXT(device), .commands = MEASURING,
     .text = {"host or cuda:N; see `gemmgate devices`", "DEVICE",
              .otherwise = "the best there is"}},

    /* How it is timed */
    {"mode", IN(HOW), WORDS(modes, words_modes), .commands = MEASURING | OF(WINNERS),
     .text = {"offline: calls follow one another. server: a random gap before each call",
              .otherwise = "offline"}},
    {"lens", IN(HOW), WORDS(plan.lenses, words_lenses), .commands = MEASURING | OF(WINNERS),
     .text = {"which interval is read. call: one call on an idle device, as a caller that waits "
              "sees it. device: what one call costs the GPU, without the host. stream: many calls "
              "in a row, divided by their number. wait: as call, by the host's clock in the place "
              "of events, until the device is idle",
              .otherwise = "call, device and stream, as far as the device has them; with "
                           "--protocol paper, call; of winners, device, or call if that was not "
                           "measured"}},
    {"protocol", IN(HOW), WORD(plan.protocol, plan_protocol_names), .commands = MEASURING,
     .text =
         {"when timing ends. fast: with a stage after as many blocks as the shape has, for which "
          "20 ms a visit and mode are reckoned with, and no more visits when every ratio is known "
          "to --precision; without one when that is so, or after 4 s. paper: after 10 s of "
          "warm-up and 30 s of timing",
          .initial = "fast"}},
    {"precision", IN(HOW), REAL(precision_percent, 0.01, 100), .commands = MEASURING,
     .text = {"with --protocol fast: half the width of the 95 % intervals to reach", "PERCENT",
              "1"}},
    {"warmup", IN(HOW), REAL(plan.warmup_seconds, 0, DAY), .commands = MEASURING,
     .text = {"seconds of warm-up a shape and mode", "S",
              .otherwise = "as --protocol says; of a gate beside an earlier release, where no "
                           "library must be beaten, 0.5"}},
    {"duration", IN(HOW), REAL(plan.duration_seconds, 0.001, DAY), .commands = MEASURING,
     .text = {"seconds of timing a shape and mode, over all visits", "S",
              .otherwise = "as --protocol says"}},
    {"visits", IN(HOW), WHOLE(plan.visits, 1, SAMPLES_VISITS), .commands = MEASURING,
     .text = {"how often a shape is measured anew, each time at another time: all shapes once, "
              "then all again. Six visits, or without a stage all, have a process of the "
              "kernel's own",
              "R",
              .otherwise = "26 where device times are taken on the stage, else 4; of a gate "
                           "screening_visits of the policy; of a check, and of a run with "
                           "--protocol paper, 1; a gate and a comparison have at least 2"}},
    {"cache", IN(HOW), WORD(plan.cache, words_caches), .commands = MEASURING,
     .text = {"the last-level cache before a call. warm: A and B were just read. cold: swept",
              .initial = "warm"}},
    {"inputs", IN(HOW), WORD(plan.inputs, timed_inputs_words), .commands = MEASURING,
     .text = {"what timed calls multiply, since it moves the card's power and clock. normal: "
              "standard normals. uniform: between -1.73 and 1.73. integers: -2 to 2. zeros. A gate "
              "takes normal and uniform alone",
              .initial = "normal"}},
    {"qps", IN(HOW), REAL(plan.qps, 0.01, 1e6), .commands = MEASURING,
     .text = {"server mode: calls a second, on average", "Q", "100"}},
    {"launch", IN(HOW), REAL(plan.launch_us, 0, 1000), .commands = MEASURING,
     .text =
         {"the launch, in microseconds, that ratios by call and wait are stated at, whatever "
          "a launch takes in this run's processes. 0: as measured, as always on the host device. "
          "Then nor are ratios by device and stream stated at an empty call",
          "US", "10"}},
    {"seed", IN(HOW), NATURAL(plan.seed), .commands = MEASURING | OF(BUILD),
     .text = {"seed of --sample, order and inputs of checks; a build wants the seed of the run",
              "N", .otherwise = "random, and recorded in plan.json"}},
    {"workspace", IN(HOW), REAL(workspace_mib, 0, 1 << 20), .commands = MEASURING,
     .text = {"scratch memory of a library or kernel, in MiB", "MIB", "32"}},
    {"autotune", IN(HOW), WORD(autotune, plan_autotune_names), .commands = MEASURING,
     .text =
         {"how a library's algorithm is chosen. paper: once, by 50 + 100 rounds. finalists: the "
          "best three are timed as all else is, and the best mean counts",
          .otherwise = "finalists; with --protocol paper, paper"}},
    {"peak", IN(HOW), REAL(plan.peak_tflops, 0.001, 1e6), .commands = OF(RUN) | VERDICT,
     .text = {"what a card's tensor cores do at best in products of the run's element, in TFLOP/s, "
              "for the report's share of it. What times are possible is still judged by the table",
              "TFLOPS", .otherwise = "by a table of cards; a report says where it has none"}},
    {"energy", IN(HOW), FLAG(plan.energy), .commands = OF(RUN),
     .text =
         {"also measure what a call draws, in joules: by NVML's counter, over 0.5 s of calls of "
          "each kernel and library, in the first three visits of a shape on the stage"}},

    /* How kernels are checked */
    {"no-sandbox", IN(CHECKS), FLAG(no_sandbox), .commands = MEASURING | OF(BUILD),
     .text = {"run compilers and kernels outside of the sandbox"}},
    {"memcheck", IN(CHECKS), FLAG(plan.memcheck), .commands = MEASURING,
     .text = {"also make one call a shape under compute-sanitizer, outside of the sandbox"}},

    /* Time limits */
    {"call-timeout", IN(LIMITS), REAL(plan.call_timeout_seconds, 0.01, DAY), .commands = MEASURING,
     .text = {"limit of one call", "S", .otherwise = "10 s, and more by size"}},
    {"setup-timeout", IN(LIMITS), REAL(plan.setup_timeout_seconds, 0.01, DAY),
     .commands = MEASURING, .text = {"limit of a kernel's setup", "S", "60"}},

    /* How it is judged */
    {"policy", IN(JUDGED), ONE(policy), .commands = OF(GATE), .judging = OF(GATE),
     .text = {"an INI file: margins, visits, libraries that must be beaten, whether an unrecorded "
              "kernel is judged",
              "FILE", .tell = gate_policy_tell}},
    {"margin", IN(JUDGED), REAL(margin_percent, 0.01, 100), .commands = OF(COMPARE) | OF(WINNERS),
     .judging = OF(COMPARE),
     .text = {"a difference up to this counts as none", "PERCENT", .otherwise = "2"}},
    {"baseline", IN(JUDGED), TEXT(baseline), .commands = OF(COMPARE) | OF(HISTORY),
     .judging = OF(COMPARE),
     .text = {"the library that kernels are compared with, or two runs through it", "NAME",
              .otherwise = "cublas-max, or the first there is"}},
    {"release", IN(JUDGED), FLAG(release), .commands = OF(GATE), .judging = OF(GATE),
     .text = {"undecided rows count as the policy says of a release"}},
    {"changed", IN(JUDGED), ONE(changed), .commands = OF(GATE),
     .text = {"as --against DIR, but only kernels whose compiled files differ are measured; the "
              "others are counted as carried over",
              "DIR"}},
    {"renamed", IN(JUDGED), ONE(renamed), .commands = OF(RUN) | VERDICT, .judging = VERDICT,
     .text = {"kernels of the earlier set that have another name in the new one: each pair is "
              "compared",
              "OLD=NEW,..."}},
    {"fail-on", IN(JUDGED), WORD(fail_on, fail_on_words),
     .commands = RUN_OR_CHECK | OF(COMPARE) | OF(BUILD), .judging = OF(COMPARE),
     .text = {"refused: end with 6 where a kernel was refused, or does not compile, and with 5 "
              "where this machine lacks what one needs. nothing: end with 0",
              .otherwise = "nothing; of a check, refused"}},
    {"absolute", IN(JUDGED), FLAG(absolute), .commands = OF(GATE), .judging = OF(GATE),
     .text = {"where there is no earlier kernel to compare with, or each was refused, the other "
              "rules decide alone"}},
    {"force", IN(JUDGED), ONE(force), .commands = OF(BASELINE_PROMOTE),
     .text = {"keep a run that would be refused for its gate's verdict or for want of one, for "
              "shapes that it lacks, or as one that is there; the store keeps the reason and shows "
              "it",
              "REASON"}},
    {"entry", IN(JUDGED), TEXT(entry), .commands = OF(GATE), .judging = OF(GATE),
     .text = {"which run of the store to compare with", "NAME",
              .otherwise = "the newest that fits"}},
    {"alpha", IN(JUDGED), REAL(plan.alpha, 0, 1e9), .commands = MEASURING,
     .text = {"weight of the deviation in the paper's reward", "A", "1"}},
    {"beta", IN(JUDGED), REAL(plan.beta, 0, 1e9), .commands = MEASURING,
     .text = {"weight of the code's length in the paper's reward", "B", "0"}},

    /* Files and machine */
    {"output", 'o', IN(WHERE), ONE(output),
     .commands = MEASURING | OF(MERGE) | IMPORTING | OF(WINNERS) | OF(HISTORY),
     .needed = RUN_OR_CHECK | OF(MERGE) | IMPORTING, .judging = OF(COMPARE),
     .text = {"the run directory to make; of what is measured already, the folder of the pages",
              "RUN"}},
    {"resume", IN(WHERE), FLAG(resume), .commands = MEASURING,
     .text = {"go on with a run that was stopped"}},
    {"shard", IN(WHERE), TEXT(shard), .commands = RUN_OR_CHECK | OF(GATE),
     .text = {"only the I-th of N parts, from 1", "I/N", .otherwise = "the whole"}},
    {"arch", IN(WHERE), TEXT(arch), .commands = OF(BUILD),
     .text = {"the GPU architecture to compile CUDA sources for: what nvcc calls sm_...",
              "80|86|89|90a|100a|120a", .otherwise = "as the set says"}},
    {"cache-dir", IN(WHERE), TEXT(cache_dir), .commands = MEASURING | OF(BUILD),
     .text = {"where compiled kernels are kept", "DIR",
              .otherwise = "$GEMMGATE_CACHE, $XDG_CACHE_HOME/gemmgate or ~/.cache/gemmgate"}},
    {"jobs", IN(WHERE), WHOLE(jobs, 1, 1024), .commands = MEASURING | OF(BUILD),
     .text = {"compilers at once", "N", .otherwise = "one a core"}},
    {"store", IN(WHERE), ONE(store), .commands = STORE, .needed = STORE,
     .text = {"the store of runs", "STORE"}},
    {"name", IN(WHERE), ONE(name), .commands = OF(BASELINE_PROMOTE),
     .text = {"what the run is called in the store", "NAME", .otherwise = "made of the date"}},
    {"claims", IN(WHERE), ONE(claims), .commands = OF(REPORT),
     .text = {"a file of what others say of these kernels, to be set beside the run", "FILE"}},
    {"published", IN(WHERE), ONE(published), .commands = OF(REPORT),
     .text = {"a run of what others have published of these kernels", "RUN"}},
    {"sqlite", IN(WHERE), ONE(sqlite), .commands = OF(REPORT),
     .text = {"write the rows of all runs to an SQLite database, too; reports/query/query.h says "
              "what its tables are",
              "FILE"}},
    {"again", IN(WHERE), ONE(again), .commands = OF(REPORT),
     .text = {"another run of the same plan, and more after it: their summary lines, and how far "
              "those on devices of one kind agree",
              "RUN"}},
    {"offline", IN(WHERE), ONE(offline), .commands = OF(IMPORT_CUDA_L2),
     .text = {"offline mode: CSV of the ratios", "FILE"}},
    {"server", IN(WHERE), ONE(server), .commands = OF(IMPORT_CUDA_L2),
     .text = {"the same in server mode", "FILE"}},
    {"json", IN(WHERE), FLAG(json), .judging = VERDICT,
     .commands = LISTS | VERDICT | OF(AGREE) | OF(CHECK) | OF(HISTORY) | OF(VERIFY) | OF(WINNERS),
     .text = {"print JSON, for programs"}},
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
    const char *between = row->type == OPTION_WORDS ? "," : "|";
    snprintf(text, OPTION_VALUE, "%s", row->text.value ? row->text.value : "");
    for (int i = 0; row->words && row->words[i]; i++)
        text_append(text, OPTION_VALUE, "%s%s", i ? between : "", row->words[i]);
    return text;
}
