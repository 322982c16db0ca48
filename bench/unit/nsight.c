#include "bench/unit/nsight.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/child.h"
#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/context/arm_calls.h"
#include "bench/context/unit_runner.h"
#include "correctness/numbers/input.h"

/* ncu repeats every kernel of a call in some ten passes and saves its memory before each. */
#define LIMIT_SECONDS 600

const char *nsight_find(void) {
    static char path[PATH_MAX];
    if (child_find("ncu", "/usr/local/cuda/bin", path))
        return path;
    error("no ncu on PATH or in /usr/local/cuda/bin: install CUDA's Nsight Compute "
          "(nsight-compute)");
    return NULL;
}

/* The names of the metrics that are not left out, with commas between. */
static void list_metrics(unsigned left_out, char text[1024]) {
    size_t used = 0;
    for (int i = 0; i < NCU_METRICS; i++)
        if (!(left_out & 1u << i))
            used += (size_t)snprintf(text + used, 1024 - used, "%s%s", used ? "," : "",
                                     ncu_metric_names[i]);
}

static int count_call(struct unit_context *context, struct arm_state *arm) {
    static struct wire_reply reply;
    const struct wire_profile profile = {.arm = arm->number,
                                         .seed = seed_derive(context->seed, SEED_CHECK, 4)};
    return unit_ask(context, arm, wire_profile_request(profile),
                    LIMIT_SECONDS + 100 * unit_call_limit(context), &reply);
}

/* Both calls under ncu. Returns an outcome or TROUBLE. */
static int call_under(const struct nsight *counters, struct unit_context *context,
                      struct arm_state *arm, enum wire_arm kind, const char *name,
                      const char *log) {
    static struct wire_reply reply;
    char metrics[1024];
    list_metrics(counters->left_out, metrics);
    const char *const program[] = {counters->ncu,
                                   "--profile-from-start",
                                   "off",
                                   "--clock-control", /* the clock that it was timed at */
                                   "none",
                                   "--cache-control", /* and the caches */
                                   counters->plan->cache == CACHE_COLD ? "all" : "none",
                                   "--csv",
                                   "--page",
                                   "raw",
                                   "--print-units",
                                   "base",
                                   "--metrics",
                                   metrics,
                                   "--log-file",
                                   log,
                                   NULL};
    int outcome = unit_open_runner_under(context, &context->process, program, &reply);
    if (outcome == 0 && reply.status != 0)
        outcome = error("%s under %s: %s", reply.text, counters->ncu, context->process.printed);
    if (outcome < 0)
        return TROUBLE;
    outcome = arm_add(context, arm, kind, name);
    if (outcome == OUTCOME_OK)
        outcome = count_call(context, arm);
    /* ncu writes its log when the runner has ended. */
    if (context->process.pid > 0)
        process_finish(&context->process, LIMIT_SECONDS);
    return outcome;
}

static int add_rows(const struct nsight *counters, const struct unit *unit, const char *kernel,
                    const struct arm_state *arm, const struct ncu_log *log) {
    for (size_t i = 0; i < log->count; i++) {
        struct profile_row row = {
            .shape = unit->shape, .number = (double)i + 1, .launch = log->launches[i]};
        char *note = row.launch.note;
        const size_t used = strlen(note);
        snprintf(row.candidate, sizeof row.candidate, "%s", unit_label(unit));
        snprintf(row.kernel, sizeof row.kernel, "%s", kernel);
        snprintf(row.device, sizeof row.device, "%s", counters->session->label);
        if (*arm->row.variant)
            snprintf(note + used, sizeof row.launch.note - used, "%schosen again: %s",
                     used ? "; " : "", arm->row.variant);
        if (profile_add(counters->profile, &row) < 0)
            return -1;
    }
    return 0;
}

/* What came of it: 0, 1 and -1 as nsight_take; 2: try again without what is left out now. */
static int judge(struct nsight *counters, const struct unit *unit, const char *kernel,
                 const struct arm_state *arm, int outcome, const struct ncu_log *log) {
    const unsigned refused = log->refused & ~counters->left_out;
    char shape[SHAPE_TEXT];
    shape_format(unit->shape, shape);
    if (log->forbidden)
        return error("%s\nThe driver lets only administrators read the GPU's counters: run as root "
                     "(in a container with CAP_SYS_ADMIN), or load the driver with "
                     "NVreg_RestrictProfilingToAdminUsers=0 (options nvidia ... in "
                     "/etc/modprobe.d, then reboot)",
                     log->complaint);
    if (log->count == 0 && refused) {
        counters->left_out |= refused;
        for (int i = 0; i < NCU_METRICS; i++)
            if (refused & 1u << i)
                warning("%s is left out: ncu does not have it here", ncu_metric_names[i]);
        return 2;
    }
    if (outcome == TROUBLE)
        return *log->complaint ? error("ncu says: %s", log->complaint) : -1;
    if (outcome != OUTCOME_OK) {
        error("%s: %s, which passed before, does not under ncu: %s%s%s; other kernels go on", shape,
              kernel, outcome_sentence((enum outcome)outcome), *arm->row.detail ? ": " : "",
              arm->row.detail);
        return 1;
    }
    if (log->count > 0)
        return add_rows(counters, unit, kernel, arm, log);
    error("%s: %s: ncu has counted nothing%s%s", shape, kernel,
          *log->complaint ? ": " : "; did the call launch no kernel?", log->complaint);
    return 1;
}

int nsight_take(struct nsight *counters, const struct unit *unit, enum wire_arm kind,
                const char *kernel, const char *name) {
    char folder[PATH_MAX], file[UNIT_ID + RUNDIR_NAME + 8], id[UNIT_ID], path[PATH_MAX];
    int status;
    snprintf(file, sizeof file, "%s.%s.log", unit_id(unit, id), kernel);
    if (files_join(folder, counters->run, PROFILE_FOLDER) < 0 || files_make_folder(folder) < 0 ||
        files_join(path, folder, file) < 0)
        return -1;
    do {
        struct unit_context context = {.session = counters->session,
                                       .plan = counters->plan,
                                       .unit = unit,
                                       .seed = seed_of_shape(counters->plan->seed, unit->shape),
                                       .process = PROCESS_NONE};
        struct arm_state arm = {.number = -1, .variant = -1};
        struct ncu_log log;
        if (unlink(path) < 0 && errno != ENOENT)
            return error("%s: %s", path, strerror(errno));
        int outcome = call_under(counters, &context, &arm, kind, name, path);
        process_end(&context.process);
        if (ncu_read(path, &log) < 0)
            return -1;
        status = judge(counters, unit, kernel, &arm, outcome, &log);
        ncu_free(&log);
    } while (status == 2);
    return status;
}
