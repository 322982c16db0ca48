#include "bench/command/options.h"

#include <argp.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "bench/base/cores.h"
#include "bench/base/error.h"
#include "bench/plan/arm_names.h"
#include "bench/process/machine.h"
#include "reports/run/rundir.h"
#include "reports/store/store.h"

enum option_key {
    KEY_DEVICE = 256,
    KEY_SUITE,
    KEY_SHAPES,
    KEY_SAMPLE,
    KEY_CANDIDATES,
    KEY_AGAINST,
    KEY_CUTLASS,
    KEY_BASELINES,
    KEY_MODE,
    KEY_LENS,
    KEY_ACCUMULATE,
    KEY_PROTOCOL,
    KEY_WARMUP,
    KEY_DURATION,
    KEY_QPS,
    KEY_SEED,
    KEY_WORKSPACE,
    KEY_TUNE_WARMUP,
    KEY_TUNE_ROUNDS,
    KEY_CALL_TIMEOUT,
    KEY_SETUP_TIMEOUT,
    KEY_SHAPE_TIMEOUT,
    KEY_ALPHA,
    KEY_BETA,
    KEY_MEMCHECK,
    KEY_NO_SANDBOX,
    KEY_NO_AUDIT,
    KEY_POLICY,
    KEY_COUNT_PADDING,
    KEY_PRECISION,
    KEY_ROUNDS,
    KEY_CACHE,
    KEY_ARRIVAL,
    KEY_AUTOTUNE,
    KEY_CACHE_DIR,
    KEY_JOBS,
    KEY_RESUME,
    KEY_SHARD,
    KEY_BASELINE,
    KEY_WEIGHTS,
    KEY_MARGIN,
    KEY_RELEASE,
    KEY_ENTRY,
};

static const struct argp_option option_list[] = {
    {0, 0, 0, 0, "What is measured", 1},
    {"device", KEY_DEVICE, "DEVICE", 0,
     "host, cuda:N, cuda:N,N... or cuda:all (default: the best there is)", 0},
    {"suite", KEY_SUITE, "NAME|FILE", 0, "paper, smoke, or a CSV file of shapes", 0},
    {"shapes", KEY_SHAPES, "LIST", 0, "shapes MxNxK,MxNxK,... instead of a suite", 0},
    {"sample", KEY_SAMPLE, "N", 0, "only N shapes of the suite, spread over its sizes", 0},
    {"candidates", KEY_CANDIDATES, "DIR", 0, "folder of kernels under test, or cuda-l2:DIR", 0},
    {"against", KEY_AGAINST, "DIR", 0, "an earlier release of it, timed in the same blocks", 0},
    {"cutlass", KEY_CUTLASS, "DIR", 0, "CUTLASS, for sets that include it", 0},
    {"baselines", KEY_BASELINES, "all|LIST", 0, "libraries to compare with (default: all)", 0},
    {"accumulate", KEY_ACCUMULATE, "f16|f32", 0, "what partial sums are kept in (default: f32)", 0},
    {0, 0, 0, 0, "How", 2},
    {"mode", KEY_MODE, "LIST", 0, "offline,server (default: offline)", 0},
    {"lens", KEY_LENS, "LIST", 0,
     "call,device,stream (default: all the device has; with --protocol paper: call)", 0},
    {"protocol", KEY_PROTOCOL, "fast|paper", 0,
     "fast (default): until every ratio is known to --precision, at most 2 s of warm-up and 4 s of "
     "timing a shape and mode, 8 s from what others saved; paper: 10 s and 30 s",
     0},
    {"precision", KEY_PRECISION, "PERCENT", 0,
     "fast: half-width of the 95 % intervals (default: 1)", 0},
    {"warmup", KEY_WARMUP, "S", 0, "seconds of warm-up instead", 0},
    {"duration", KEY_DURATION, "S", 0, "seconds of timing instead", 0},
    {"rounds", KEY_ROUNDS, "R", 0, "fresh processes a shape (default: 1)", 0},
    {"cache", KEY_CACHE, "warm|cold|rotate", 0,
     "the last-level cache before a call: as it is, swept, or operands that rotate", 0},
    {"arrival", KEY_ARRIVAL, "closed|poisson", 0,
     "server mode: a random gap between calls (default), or arrivals that wait for nobody", 0},
    {"qps", KEY_QPS, "Q", 0, "server mode: mean calls a second (default: 100)", 0},
    {"seed", KEY_SEED, "N", 0, "of inputs, order and gaps (default: random, recorded)", 0},
    {"workspace", KEY_WORKSPACE, "MIB", 0, "scratch memory of a library or kernel (default: 32)",
     0},
    {"autotune", KEY_AUTOTUNE, "halving|paper", 0,
     "how a baseline's algorithm is chosen (default: as --protocol)", 0},
    {"autotune-warmup", KEY_TUNE_WARMUP, "N", 0,
     "the paper's way: rounds before the timed ones (default: 50)", 0},
    {"autotune-rounds", KEY_TUNE_ROUNDS, "N", 0, "the paper's way: timed rounds (default: 100)", 0},
    {"call-timeout", KEY_CALL_TIMEOUT, "S", 0, "limit of one call (default: 10 s and more by size)",
     0},
    {"setup-timeout", KEY_SETUP_TIMEOUT, "S", 0, "limit of a candidate's setup (default: 60)", 0},
    {"shape-timeout", KEY_SHAPE_TIMEOUT, "S", 0, "limit of a candidate's checks on a shape", 0},
    {"alpha", KEY_ALPHA, "A", 0, "weight of deviation in the reward (default: 1)", 0},
    {"beta", KEY_BETA, "B", 0, "weight of code length in the reward (default: 0)", 0},
    {"policy", KEY_POLICY, "FILE", 0,
     "what is made of each finding of the audits: info, warn, reject", 0},
    {"no-audit", KEY_NO_AUDIT, 0, 0, "do not record what kernels ask of CUDA (needs CUPTI)", 0},
    {"no-sandbox", KEY_NO_SANDBOX, 0, 0,
     "compile and run kernels in processes that are not locked in", 0},
    {"memcheck", KEY_MEMCHECK, 0, 0, "one call a shape under compute-sanitizer, not in the sandbox",
     0},
    {"count-padding", KEY_COUNT_PADDING, 0, 0, "time the copies a padded kernel needs", 0},
    {0, 0, 0, 0, "Where", 3},
    {"cache-dir", KEY_CACHE_DIR, "DIR", 0, "compiled kernels (default: ~/.cache/gemmgate)", 0},
    {"jobs", KEY_JOBS, "N", 0, "compilers, and then disassemblers, at once (default: one a core)",
     0},
    {"shard", KEY_SHARD, "I/N|auto", 0,
     "only the I-th of N parts, from 1; auto: as Slurm or Kubernetes says", 0},
    {"resume", KEY_RESUME, 0, 0, "go on with a run that was stopped", 0},
    {"output", 'o', "RUN", 0, "the run directory to make", 0},
    {0},
};

static const struct argp_option compare_list[] = {
    {0, 0, 0, 0, "What is made of it", 4},
    {"margin", KEY_MARGIN, "PERCENT", 0, "what counts as the same (default: 2)", 0},
    {"weights", KEY_WEIGHTS, "FILE", 0, "CSV: how often each shape is called", 0},
    {"baseline", KEY_BASELINE, "NAME", 0, "through which two runs are compared", 0},
    {0},
};

static const struct argp_option gate_list[] = {
    {0, 0, 0, 0, "What is made of it", 4},
    {"release", KEY_RELEASE, 0, 0, "what is undecided counts as the policy says of a release", 0},
    {"entry", KEY_ENTRY, "NAME", 0, "of the store (default: the newest that fits)", 0},
    {0},
};

struct parse {
    struct options *options;
    int measuring, serving; /* an option given that is of measuring, and of server mode; 0: none */
    enum options_command command;
    const char *policy;
    bool rounds_given;
    const char *device, *suite, *shapes, *baselines, *candidates, *against, *cutlass;
    char usual_baselines[WIRE_ARMS * 64]; /* where none are given */
    size_t sample;
    bool seeded;
    int autotune; /* of `tunings`; -1: as the protocol */
};

static int number(const char *option, const char *text, double least, double most, double *value) {
    char *end;
    errno = 0;
    *value = strtod(text, &end);
    if (end == text || *end || errno || !(*value >= least && *value <= most))
        return error("--%s %s: a number from %g to %g is wanted", option, text, least, most);
    return 0;
}

static int whole(const char *option, const char *text, double least, double most, int *value) {
    double real;
    if (number(option, text, least, most, &real) < 0)
        return -1;
    if (real != (double)(int)real)
        return error("--%s %s: a whole number is wanted", option, text);
    *value = (int)real;
    return 0;
}

static int parse_seed(const char *text, uint64_t *seed) {
    char *end;
    errno = 0;
    *seed = strtoull(text, &end, 0);
    if (end == text || *end || errno || strchr(text, '-'))
        return error("--seed %s: a whole number from 0 to 2^64-1 is wanted", text);
    return 0;
}

int options_take_once(const char *option, const char *text, const char **slot) {
    if (*slot)
        return error("--%s %s: %s is given already; one is taken, so leave one out", option, text,
                     *slot);
    *slot = text;
    return 0;
}

/* Which of the names the text is, or -1 after a message. */
static int one_of(const char *option, const char *text, const char *const *names, int count) {
    char all[128] = "";
    for (int i = 0; i < count; i++) {
        if (strcmp(text, names[i]) == 0)
            return i;
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? " or " : "", names[i]);
    }
    return error("--%s %s: %s is wanted", option, text, all);
}

/* Sets a bit for every name of the list. */
static int parse_list(const char *option, const char *text, const char *const *names, int count,
                      int *bits) {
    char copy[64], *rest = copy, *word;
    snprintf(copy, sizeof copy, "%s", text);
    *bits = 0;
    while ((word = strsep(&rest, ","))) {
        int which = one_of(option, word, names, count);
        if (which < 0)
            return -1;
        *bits |= 1 << which;
    }
    return 0;
}

static const char *const arrivals[] = {"closed", "poisson"};
static const char *const tunings[] = {"paper", "halving"};

/* A whole number in the environment, or -1. */
static long environment_number(const char *name) {
    const char *text = getenv(name);
    char *end = NULL;
    const long value = text ? strtol(text, &end, 10) : -1;
    return text && *text && !*end && value >= 0 ? value : -1;
}

/* The part of a job array that this process is: Slurm counts from where the array begins,
 * Kubernetes from 0. */
static int shard_of_job(struct options *options) {
    const long task = environment_number("SLURM_ARRAY_TASK_ID");
    const long first = environment_number("SLURM_ARRAY_TASK_MIN");
    const long tasks = environment_number("SLURM_ARRAY_TASK_COUNT");
    const long index = environment_number("JOB_COMPLETION_INDEX");
    const long completions = environment_number("JOB_COMPLETIONS");
    if (task >= 0 && first >= 0 && tasks > 0 && task - first < tasks && task >= first) {
        options->shard = (int)(task - first) + 1;
        options->shards = (int)tasks;
    } else if (index >= 0 && index < completions) {
        options->shard = (int)index + 1;
        options->shards = (int)completions;
    } else {
        return error("--shard auto: neither SLURM_ARRAY_TASK_ID with _MIN and _COUNT nor "
                     "JOB_COMPLETION_INDEX with JOB_COMPLETIONS is set; an array without gaps is "
                     "wanted");
    }
    return 0;
}

static int parse_shard(const char *text, struct options *options) {
    int end = 0;
    if (strcmp(text, "auto") == 0)
        return shard_of_job(options);
    if (sscanf(text, "%d/%d%n", &options->shard, &options->shards, &end) != 2 || text[end] ||
        options->shard < 1 || options->shard > options->shards)
        return error("--shard %s: I/N is wanted, I from 1 to N, or auto", text);
    return 0;
}

/* Returns 0, or -1 after a message. */
static int take(struct parse *parse, int key, const char *text) {
    struct plan *plan = &parse->options->plan;
    double value;
    int choice;
    switch (key) {
    case KEY_DEVICE:
        parse->device = text;
        return 0;
    case KEY_SUITE:
        return options_take_once("suite", text, &parse->suite);
    case KEY_SHAPES:
        return options_take_once("shapes", text, &parse->shapes);
    case KEY_SAMPLE:
        if (number("sample", text, 1, 1e6, &value) < 0)
            return -1;
        parse->sample = (size_t)value;
        return 0;
    case KEY_CANDIDATES:
        return options_take_once("candidates", text, &parse->candidates);
    case KEY_AGAINST:
        return options_take_once("against", text, &parse->against);
    case KEY_CUTLASS:
        return options_take_once("cutlass", text, &parse->cutlass);
    case KEY_BASELINES:
        parse->baselines = text;
        return 0;
    case KEY_MODE:
        if (parse_list("mode", text, plan_mode_names, MODE_COUNT, &choice) < 0)
            return -1;
        for (int mode = 0; mode < MODE_COUNT; mode++)
            plan->modes[mode] = choice & 1 << mode;
        return 0;
    case KEY_LENS:
        return parse_list("lens", text, plan_lens_names, LENS_LATENCY, &plan->lenses);
    case KEY_PROTOCOL:
        if ((choice = one_of("protocol", text, plan_protocol_names, PROTOCOL_COUNT)) < 0)
            return -1;
        plan->protocol = (enum plan_protocol)choice;
        return 0;
    case KEY_ACCUMULATE:
        plan->accumulate = strcmp(text, "f16") == 0   ? GEMM_F16
                           : strcmp(text, "f32") == 0 ? GEMM_F32
                                                      : 0;
        return plan->accumulate ? 0 : error("--accumulate %s: f16 or f32 is wanted", text);
    case KEY_WARMUP:
        return number("warmup", text, 0, 86400, &plan->warmup_seconds);
    case KEY_DURATION:
        return number("duration", text, 0.001, 86400, &plan->duration_seconds);
    case KEY_QPS:
        return number("qps", text, 0.01, 1e6, &plan->qps);
    case KEY_SEED:
        parse->seeded = true;
        return parse_seed(text, &plan->seed);
    case KEY_WORKSPACE:
        if (number("workspace", text, 0, 1 << 20, &value) < 0)
            return -1;
        plan->workspace_bytes = (uint64_t)(value * (1 << 20));
        return 0;
    case KEY_TUNE_WARMUP:
        return whole("autotune-warmup", text, 0, 1e6, &plan->tune_warmup);
    case KEY_TUNE_ROUNDS:
        return whole("autotune-rounds", text, 1, 1e6, &plan->tune_rounds);
    case KEY_CALL_TIMEOUT:
        return number("call-timeout", text, 0.01, 86400, &plan->call_timeout_seconds);
    case KEY_SETUP_TIMEOUT:
        return number("setup-timeout", text, 0.01, 86400, &plan->setup_timeout_seconds);
    case KEY_SHAPE_TIMEOUT:
        return number("shape-timeout", text, 0.01, 86400, &plan->shape_timeout_seconds);
    case KEY_ALPHA:
        return number("alpha", text, 0, 1e9, &plan->alpha);
    case KEY_BETA:
        return number("beta", text, 0, 1e9, &plan->beta);
    case KEY_POLICY:
        return options_take_once("policy", text, &parse->policy) < 0
                   ? -1
                   : audit_policy_read(text, &plan->policy);
    case KEY_NO_AUDIT:
        plan->audit = plan->audit_previous = false;
        return 0;
    case KEY_NO_SANDBOX:
        plan->sandbox = false;
        return 0;
    case KEY_MEMCHECK:
        plan->memcheck = true;
        return 0;
    case KEY_COUNT_PADDING:
        plan->count_padding = true;
        return 0;
    case KEY_PRECISION:
        if (number("precision", text, 0.01, 100, &value) < 0)
            return -1;
        plan->precision = value / 100;
        return 0;
    case KEY_ROUNDS:
        parse->rounds_given = true;
        return whole("rounds", text, 1, 100, &plan->rounds);
    case KEY_CACHE:
        if ((choice = one_of("cache", text, plan_cache_names, CACHE_COUNT)) < 0)
            return -1;
        plan->cache = (enum wire_cache)choice;
        return 0;
    case KEY_ARRIVAL:
        if ((choice = one_of("arrival", text, arrivals, 2)) < 0)
            return -1;
        plan->open_loop = choice == 1;
        return 0;
    case KEY_AUTOTUNE:
        parse->autotune = one_of("autotune", text, tunings, 2);
        return parse->autotune < 0 ? -1 : 0;
    case KEY_CACHE_DIR:
        parse->options->build.cache = text;
        return 0;
    case KEY_JOBS:
        return whole("jobs", text, 1, 1024, &parse->options->build.jobs);
    case KEY_SHARD:
        return parse_shard(text, parse->options);
    case KEY_RESUME:
        parse->options->resume = true;
        return 0;
    case 'o':
        return options_take_once("output", text, &parse->options->run);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_option(int key, char *text, struct argp_state *state) {
    struct parse *parse = state->input;
    if (key == ARGP_KEY_INIT && state->child_inputs)
        state->child_inputs[0] = state->input;
    int status = take(parse, key, text);
    if (status < 0)
        exit(EXIT_TROUBLE);
    const bool judging = key == KEY_POLICY || key == KEY_AGAINST || key == KEY_CANDIDATES ||
                         (key == 'o' && parse->command == OPTIONS_COMPARE);
    if (status == 0 && !judging)
        parse->measuring = key;
    if (key == KEY_QPS || key == KEY_ARRIVAL)
        parse->serving = key;
    return status;
}

static const char *option_name(int key) {
    const struct argp_option *option = option_list;
    while (option->key != key)
        option++;
    return option->name;
}

/* What --help says of options that are not in all commands what they are in `run`. Returns the text
 * or a copy that argp frees. */
static char *explain_option(int key, const char *text, void *input) {
    static const struct {
        enum options_command command;
        int key;
        const char *text;
    } others[] = {
        {OPTIONS_COMPARE, KEY_ROUNDS, "fresh processes a shape, 2 at least (default: 4)"},
        {OPTIONS_COMPARE, KEY_BASELINES,
         "libraries to compare with (default: the plainest, in both layouts)"},
        {OPTIONS_COMPARE, KEY_SHARD, "not of a comparison, which needs all its units"},
        {OPTIONS_GATE, KEY_ROUNDS,
         "fresh processes a shape, 2 at least (default: screening_rounds of the policy, 4)"},
        {OPTIONS_GATE, KEY_BASELINES,
         "libraries to compare with (default: the plainest, in both layouts, and those that the "
         "policy wants beaten)"},
        {OPTIONS_GATE, KEY_WARMUP,
         "seconds of warm-up instead (default beside an earlier set where no library must be "
         "beaten: 0.5)"},
        {OPTIONS_GATE, KEY_AGAINST,
         "an earlier release of it, timed in the same blocks; or a store, or a run"},
        {OPTIONS_GATE, KEY_POLICY,
         "margins, rounds, what must be beaten (ci/policies/merge.ini has every key), and what is "
         "made of each finding of the audits"},
        {OPTIONS_GATE, KEY_SHARD, "not of a gate, which needs all its units"},
    };
    const struct parse *parse = input;
    for (size_t i = 0; parse && i < sizeof others / sizeof *others; i++)
        if (others[i].command == parse->command && others[i].key == key)
            return strdup(others[i].text);
    return (char *)text;
}

/* What compare and gate have beside it, and their arguments. */
static error_t parse_verdict(int key, char *text, struct argp_state *state) {
    struct parse *parse = state->input;
    struct options *options = parse->options;
    double margin;
    switch (key) {
    case KEY_BASELINE:
        options->baseline = text;
        return 0;
    case KEY_WEIGHTS:
        if (options_take_once("weights", text, &options->weights) < 0)
            exit(EXIT_TROUBLE);
        return 0;
    case KEY_MARGIN:
        if (number("margin", text, 0.01, 100, &margin) < 0)
            exit(EXIT_TROUBLE);
        for (size_t i = 0; i < options->gate.class_count; i++)
            options->gate.classes[i].margin = margin / 100;
        return 0;
    case KEY_RELEASE:
        options->release = true;
        return 0;
    case KEY_ENTRY:
        options->entry = text;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num >= (parse->command == OPTIONS_COMPARE ? 2 : 1))
            argp_error(state, "too many arguments: %s", text);
        options->arguments[state->arg_num] = text;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* "host", "cuda", "cuda:N,N..." or "cuda:all"; none: the first device of the best kind that has
 * one.
 */
static int resolve_device(const char *text, struct plan *plan) {
    if (!text) {
        struct machine_device list[MACHINE_DEVICES];
        int count = machine_devices(list, MACHINE_DEVICES, NULL);
        for (int i = 0; i < count; i++)
            if (list[i].ordinal >= 0) {
                snprintf(plan->device_kind, sizeof plan->device_kind, "%s", list[i].kind);
                plan->ordinals[0] = list[i].ordinal;
                plan->device_count = 1;
                return 0;
            }
        return count < 0 ? -1 : error("no device at all");
    }
    const char *colon = strchr(text, ':');
    const size_t length = colon ? (size_t)(colon - text) : strlen(text);
    snprintf(plan->device_kind, sizeof plan->device_kind, "%.*s", (int)length, text);
    if (length >= sizeof plan->device_kind ||
        (!plan_on_host(plan) && strcmp(plan->device_kind, "cuda") != 0))
        return error("--device %s: host, cuda:N, cuda:N,N... or cuda:all is wanted", text);
    plan->all_devices = colon && strcmp(colon, ":all") == 0;
    if (plan->all_devices && strcmp(plan->device_kind, "cuda") != 0)
        return error("--device %s: host:0,1,... says how many parts the cores are split into",
                     text);
    if (!colon)
        plan->device_count = 1;
    for (const char *at = colon; at && *at && !plan->all_devices;) {
        char *end = NULL;
        const long ordinal = strtol(at + 1, &end, 10);
        bool again = plan->device_count == PLAN_DEVICES;
        for (int i = 0; i < plan->device_count; i++)
            again |= plan->ordinals[i] == ordinal;
        if (!isdigit((unsigned char)at[1]) || (*end && *end != ',') || ordinal > 1024 || again)
            return error("--device %s: %s:N or %s:N,N..., each N once, at most %d", text,
                         plan->device_kind, plan->device_kind, PLAN_DEVICES);
        plan->ordinals[plan->device_count++] = (int)ordinal;
        at = end;
    }
    return 0;
}

/* "all" is every baseline of the device that can accumulate as wanted. Kernels are not called like
 * any, measured beside them now or not: reports tell them apart by their names. */
static int resolve_baselines(const char *text, struct plan *plan) {
    int device = plan_on_host(plan) ? GEMM_HOST : GEMM_CUDA;
    bool all = !text || strcmp(text, "all") == 0;
    char *copy = strdup(all ? "" : text), *rest = copy, *word;
    struct machine_baseline known[WIRE_ARMS];
    int count = copy ? machine_baselines(known, WIRE_ARMS - 1) : error("no memory");
    int status = count < 0 ? -1 : arm_names_check(&plan->set, known, count);
    for (int i = 0; i < count && all && status == 0; i++)
        if (known[i].device == device && (known[i].accumulate & plan->accumulate))
            strcpy(plan->baselines[plan->baseline_count++], known[i].name);
    while (!all && status == 0 && (word = strsep(&rest, ","))) {
        int i = 0;
        while (i < count && strcmp(known[i].name, word) != 0)
            i++;
        if (i == count)
            status =
                error("--baselines: unknown baseline '%s'; `gemmgate list baselines` shows them "
                      "(-max is derived from -nn and -tn)",
                      word);
        else if (known[i].device != device)
            status = error("--baselines: %s does not run on %s", word, plan->device_kind);
        else if (!(known[i].accumulate & plan->accumulate))
            status = error("--baselines: %s cannot accumulate in %s", word,
                           plan->accumulate == GEMM_F16 ? "f16" : "f32");
        for (int j = 0; j < plan->baseline_count && status == 0; j++)
            if (strcmp(plan->baselines[j], word) == 0)
                status = error("--baselines: %s is named twice", word);
        if (status == 0)
            strcpy(plan->baselines[plan->baseline_count++], word);
    }
    free(copy);
    return status;
}

/* A random seed, unless one is given or the run to resume has one. */
static int resolve_seed(const struct options *options, struct plan *plan) {
    if (options->resume) {
        json_t *old = rundir_read_json(options->run, "plan.json");
        const char *seed = json_string_value(json_object_get(old, "seed"));
        int status =
            seed ? parse_seed(seed, &plan->seed)
                 : error("%s/plan.json has no seed: it is not a run to resume", options->run);
        json_decref(old);
        return status;
    }
    if (getrandom(&plan->seed, sizeof plan->seed, 0) != sizeof plan->seed)
        return error("no random seed to be had: %s; give one with --seed", strerror(errno));
    return 0;
}

/* Times, lenses and tuning that were not given, from the protocol and the device. */
static int resolve_protocol(const struct parse *parse, struct plan *plan) {
    const bool paper = plan->protocol == PROTOCOL_PAPER;
    const bool host = plan_on_host(plan);
    if (plan->warmup_seconds < 0) /* two releases in the same blocks are equally warm */
        plan->warmup_seconds = paper ? 10 : plan->precise_previous ? 0.5 : 2;
    if (plan->duration_seconds < 0)
        plan->duration_seconds = paper ? 30 : 4;
    plan->halving = parse->autotune >= 0 ? parse->autotune == 1 : !paper;
    if (plan->lenses & ~(1 << LENS_CALL) && host)
        return error("--lens: the host device has the call lens only, since its calls are "
                     "synchronous");
    if (!plan->lenses)
        plan->lenses = paper || host ? 1 << LENS_CALL : (1 << LENS_LATENCY) - 1;
    for (int mode = 0; mode < MODE_COUNT; mode++)
        if (plan->modes[mode] && !plan_mode_lenses(plan, (enum plan_mode)mode))
            return error("--lens: stream alone makes no sense in %s mode%s", plan_mode_names[mode],
                         plan->cache == CACHE_COLD ? " with a cold cache" : "");
    return 0;
}

static int resolve_sets(const struct parse *parse, struct plan *plan) {
    if (parse->against && !parse->candidates)
        return error("--against %s: the kernels to compare with it are wanted, too: --candidates "
                     "DIR",
                     parse->against);
    if (parse->candidates && set_open(parse->candidates, parse->cutlass, &plan->set) < 0)
        return -1;
    if (parse->against && set_open(parse->against, parse->cutlass, &plan->previous) < 0)
        return -1;
    return parse->candidates ? plan_narrow(plan) : 0;
}

static int resolve(struct parse *parse) {
    struct options *options = parse->options;
    struct plan *plan = &options->plan;
    if (!options->run)
        return error("-o RUN is wanted: the run directory to make");
    if (parse->suite && parse->shapes)
        return error("--suite or --shapes, not both");
    if (!parse->suite && !parse->shapes)
        return error("--suite or --shapes is wanted");
    if ((parse->suite ? suite_load(parse->suite, &plan->suite)
                      : suite_parse(parse->shapes, &plan->suite)) < 0)
        return -1;
    if (options->shards && !parse->seeded)
        return error("--shard: the parts of a run share its seed: give one with --seed");
    if (!parse->seeded && resolve_seed(options, plan) < 0)
        return -1;
    if (parse->sample && suite_sample(&plan->suite, parse->sample, plan->seed) < 0)
        return -1;
    if (resolve_sets(parse, plan) < 0)
        return -1;
    if (resolve_baselines(parse->baselines, plan) < 0)
        return -1;
    if (plan->memcheck && strcmp(plan->device_kind, "cuda") != 0)
        return error("--memcheck: compute-sanitizer checks GPU kernels, not the host's");
    if (plan->memcheck && plan->sandbox)
        warning("--memcheck: calls under compute-sanitizer are not locked into the sandbox");
    bool any = plan->modes[MODE_OFFLINE] || plan->modes[MODE_SERVER];
    if (parse->command == OPTIONS_CHECK)
        memset(plan->modes, 0, sizeof plan->modes);
    else if (!any)
        plan->modes[MODE_OFFLINE] = true;
    if (parse->serving && !plan->modes[MODE_SERVER] && parse->command != OPTIONS_CHECK)
        return error("--%s is of server mode: --mode server, or offline,server, is wanted, too",
                     option_name(parse->serving));
    return resolve_protocol(parse, plan);
}

/* What a gate and a comparison need where nothing was asked for: the libraries that must be beaten,
 * in both layouts where the faster one is meant, and the plainest pair for the controls. */
static void default_baselines(const struct parse *parse, char *text, size_t size) {
    const struct gate_policy *gate = &parse->options->gate;
    const bool host = plan_on_host(&parse->options->plan);
    size_t used = (size_t)snprintf(text, size, "%s",
                                   host ? "openblas-nn,openblas-tn" : "cublas-nn,cublas-tn");
    for (size_t i = 0; i < gate->must_count && used < size; i++) {
        const char *name = gate->must[i].baseline;
        const char *max = strstr(name, "-max");
        const int stem = max ? (int)(max - name) : (int)strlen(name);
        const char *const layouts[] = {max ? "-nn" : "", max ? "-tn" : NULL};
        for (int j = 0; j < 2 && layouts[j] && used < size; j++) {
            char word[GATE_NAME + 8];
            snprintf(word, sizeof word, "%.*s%s", stem, name, layouts[j]);
            if (!strstr(text, word))
                used += (size_t)snprintf(text + used, size - used, ",%s", word);
        }
    }
}

/* The lens that is judged; the others show what cheats. */
static int judged_lens(const struct gate_policy *policy) {
    for (int lens = 0; lens < LENS_COUNT; lens++)
        if (strcmp(policy->lens, plan_lens_names[lens]) == 0)
            return 1 << lens;
    return 1 << LENS_DEVICE;
}

/* Whether there is a run or a store of runs where a set of kernels might be. */
static bool is_measured(const char *folder) {
    return rundir_is(folder) || store_is(folder);
}

/* Of two that are to be compared one is a run. */
static int refuse_mixed(const char *other, const char *run) {
    return access(other, F_OK) < 0
               ? error("%s: %s; a run directory is wanted, as %s is", other, strerror(errno), run)
               : error("compare: %s is measured already and %s is no run directory; two runs are "
                       "compared, or two folders of kernels, which are measured now",
                       run, other);
}

/* What is to be measured, if anything, of what compare and gate were given. */
static int resolve_verdict(struct parse *parse) {
    struct options *options = parse->options;
    const char *const *given = options->arguments;
    if (parse->against && is_measured(parse->against)) {
        options->against = parse->against;
        parse->against = NULL;
    }
    if (parse->command == OPTIONS_GATE) {
        if (!given[0] == !parse->candidates)
            return error("gate: the kernels to measure are wanted (--candidates NEW), or a run to "
                         "judge");
        options->measure = !given[0];
        if (given[0] && parse->against)
            return error("--against %s: neither a run directory nor a store; %s is measured "
                         "already, and judged by what it holds",
                         parse->against, given[0]);
    } else {
        if (!given[0] || parse->candidates || parse->against || options->against)
            return error("compare: two arguments are wanted, OLD and NEW: folders of kernels, or "
                         "run directories; or one run that was made with --against");
        options->measure = given[1] && !is_measured(given[0]);
        if (options->baseline && (options->measure || !given[1]))
            return error("--baseline %s: two runs are compared through a library; what is in one "
                         "run is compared without",
                         options->baseline);
        if (given[1] && is_measured(given[0]) != is_measured(given[1]))
            return refuse_mixed(given[is_measured(given[0])], given[!is_measured(given[0])]);
        parse->against = options->measure ? given[0] : NULL;
        parse->candidates = options->measure ? given[1] : NULL;
    }
    return 0;
}

/* Before anything is measured. */
static int check_entry(const struct options *options) {
    struct store_entry entry;
    char why[1024];
    if (!options->entry)
        return 0;
    if (!options->against || !store_is(options->against))
        return error("--entry %s: of which store? --against STORE is wanted", options->entry);
    const int found = store_find(options->against, options->entry, NULL, &entry, why, sizeof why);
    return found == 0  ? error("--entry %s: %s: %s", options->entry, options->against, why)
           : found < 0 ? -1
                       : 0;
}

static int resolve_measured(struct parse *parse) {
    struct options *options = parse->options;
    struct plan *plan = &options->plan;
    if (resolve_device(parse->device, plan) < 0)
        return -1;
    if (parse->command >= OPTIONS_COMPARE) {
        default_baselines(parse, parse->usual_baselines, sizeof parse->usual_baselines);
        parse->baselines = parse->baselines ? parse->baselines : parse->usual_baselines;
        plan->rounds = parse->rounds_given ? plan->rounds : options->gate.screening_rounds;
        if (plan->rounds < 2)
            return error("--rounds %d: one process does not show what another would find; 2 are "
                         "the least, 4 are better",
                         plan->rounds);
    }
    if (parse->command == OPTIONS_GATE && parse->against) { /* else the run may go into a store */
        plan->precise = judged_lens(&options->gate);
        plan->precise_previous = options->gate.must_count == 0;
        plan->audit_previous = false; /* in the second stage, see confirm */
    }
    if (parse->command >= OPTIONS_COMPARE && options->shards)
        return error("--shard: all units are needed; shards are of `run`, and merged");
    return resolve(parse);
}

int options_parse(int argc, char **argv, enum options_command command, struct options *options) {
    static const char *const docs[] = {
        [OPTIONS_RUN] =
            "Check and time kernels against the libraries.\v"
            "Every shape is checked before it is timed; a kernel that fails is named in the report "
            "and not timed. Exit status 0 when the work was done, whatever became of each kernel.",
        [OPTIONS_CHECK] = "Check kernels against the libraries, without timing them.",
        [OPTIONS_COMPARE] =
            "Compare two releases of a kernel set, shape by shape.\v"
            "Two folders of kernels are measured in the same blocks, which is the sharpest "
            "comparison there is. Two run directories must come from equal machines.",
        [OPTIONS_GATE] =
            "Pass or fail a set of kernels: measure and judge, or judge RUN.\v"
            "Exit status: 0 pass, 1 regression, 2 error, 3 inconclusive, 4 not comparable, 5 "
            "environment, 6 wrong or dishonest kernel, 77 no such device. Everything that CI shows "
            "is under RUN/gate/, whatever the verdict."};
    static const char *const arguments[] = {
        [OPTIONS_COMPARE] = "OLD NEW\nRUN", [OPTIONS_GATE] = "--candidates NEW\nRUN"};
    const struct argp verdict = {command == OPTIONS_GATE ? gate_list : compare_list,
                                 parse_verdict,
                                 NULL,
                                 NULL,
                                 NULL,
                                 NULL,
                                 NULL};
    const struct argp_child children[] = {{&verdict, 0, NULL, 0}, {0}};
    struct argp argp = {option_list, parse_option, NULL, docs[command], NULL, explain_option, NULL};
    struct parse parse = {.options = options, .command = command, .autotune = -1};
    char name[32];
    if (command >= OPTIONS_COMPARE) {
        argp.args_doc = arguments[command];
        argp.children = children;
    }
    memset(options, 0, sizeof *options);
    options->plan = (struct plan){.accumulate = GEMM_F32,
                                  .warmup_seconds = -1,
                                  .duration_seconds = -1,
                                  .precise = ~0,
                                  .precision = 0.01,
                                  .rounds = 1,
                                  .qps = 100,
                                  .workspace_bytes = (uint64_t)32 << 20,
                                  .tune_warmup = 50,
                                  .tune_rounds = 100,
                                  .setup_timeout_seconds = 60,
                                  .audit = true,
                                  .audit_previous = true,
                                  .sandbox = true,
                                  .alpha = 1};
    audit_policy_default(&options->plan.policy);
    gate_policy_default(&options->gate);
    build_defaults(&options->build, cores_allowed());
    options->measure = true;
    snprintf(name, sizeof name, "gemmgate %s", argv[0]);
    argv[0] = name;
    argp_err_exit_status = EXIT_TROUBLE;
    if (argp_parse(&argp, argc, argv, 0, NULL, &parse) != 0)
        return -1;
    if (command == OPTIONS_GATE && parse.policy &&
        gate_policy_read(parse.policy, &options->gate) < 0)
        return -1;
    if (command >= OPTIONS_COMPARE && (resolve_verdict(&parse) < 0 || check_entry(options) < 0))
        return -1;
    if (!options->measure && parse.measuring)
        return error("--%s: %s is measured already, and judged by what it holds",
                     parse.measuring == 'o' ? "output" : option_name(parse.measuring),
                     options->arguments[0]);
    return options->measure ? resolve_measured(&parse) : 0;
}

void options_free(struct options *options) {
    plan_free(&options->plan);
    gate_policy_free(&options->gate);
}
