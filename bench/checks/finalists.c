#include "bench/checks/finalists.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/clock.h"
#include "bench/base/need.h"
#include "bench/jobs/arm_calls.h"
#include "bench/jobs/processes.h"
#include "correctness/numbers/input.h"
#include "reports/rows/layouts.h"

/* What the processes say of one library's algorithms. */
struct ranks {
    int count;
    int sum[WIRE_ALGORITHMS]; /* of the ranks in all processes; 0: the fastest in each */
    bool failed[WIRE_ALGORITHMS];
};

static void put_ranks(const struct wire_add_reply *reply, struct ranks *ranks) {
    ranks->count = reply->variants < WIRE_ALGORITHMS ? reply->variants : WIRE_ALGORITHMS;
    for (int v = 0; v < ranks->count; v++) {
        ranks->failed[v] |= reply->rank[v] == WIRE_FAILED;
        ranks->sum[v] += reply->rank[v];
    }
}

/* In the process that the context has. *died: one that failed has taken it down. 0 or TROUBLE. */
static int rank_libraries(struct unit_context *context, int process, struct ranks *ranks,
                          bool *died) {
    static struct wire_reply reply;
    const struct plan *plan = context->plan;
    for (int i = 0; i < plan->baseline_count; i++) {
        struct arm_state arm = {0};
        if (!plan->autotuned[i])
            continue;
        struct wire_add add = arm_request(context, &arm, ARM_BASELINE, plan->baselines[i]);
        add.tune = arm_tuning(context, WIRE_RANK, (uint64_t)i + WIRE_ARMS * (uint64_t)process);
        const int outcome =
            unit_ask(context, &arm, wire_add_request(add), arm_setup_limit(plan, false), &reply);
        *died = !unit_runner_survives((enum outcome)outcome);
        if (outcome == TROUBLE)
            return TROUBLE;
        if (*died)
            return 0;
        if (outcome == OUTCOME_OK)
            put_ranks(&reply.add, &ranks[i]);
    }
    return 0;
}

/* On the stage, or where the run has none in a process like the kernel's own. 0 or TROUBLE. */
static int open_process(struct unit_context *context) {
    if (context->process.pid > 0 && unit_take_shape(context, &context->process) == 0)
        return 0;
    unit_drop_runner(context, &context->process);
    if (!plan_is_staged(context->plan))
        return unit_open_runner(context);
    return unit_warm(context, RUNNER_PLAYER) < 0
               ? TROUBLE
               : unit_open(context, RUNNER_PLAYER, &context->process);
}

/* The best of those that no process has seen fail and that are not chosen yet; -1: there is none. */
static int next_best(const struct ranks *ranks, const bool *chosen) {
    int best = -1;
    for (int v = 0; v < ranks->count; v++)
        if (!chosen[v] && !ranks->failed[v] && (best < 0 || ranks->sum[v] < ranks->sum[best]))
            best = v;
    return best;
}

static void choose(const struct ranks *ranks, struct finalists *finalists, int which) {
    bool chosen[WIRE_ALGORITHMS] = {false};
    int count = 0;
    for (int i = 0; i <= FINALISTS_BEST && ranks->count > 0; i++) {
        const int v = i < FINALISTS_BEST ? next_best(ranks, chosen) : 0;
        if (v < 0 || chosen[v])
            continue;
        chosen[v] = true;
        finalists->of[which].variant[count++] = v;
    }
    finalists->of[which].count = count;
}

/* Whether the unit is to be timed, and a library of it has finalists. */
static bool is_wanted(const struct plan *plan) {
    bool any = false;
    for (int i = 0; i < plan->baseline_count; i++)
        any |= plan->autotuned[i];
    return any && plan->finalists && (plan->modes[MODE_OFFLINE] || plan->modes[MODE_SERVER]);
}

/* Each shape once. */
static struct finalists *list_shapes(const struct unit *const *units, size_t count,
                                     size_t *shapes) {
    struct finalists *list = need(count, sizeof *list);
    *shapes = 0;
    for (size_t i = 0; i < count; i++)
        if (*shapes == 0 || shape_compare(list[*shapes - 1].shape, units[i]->shape) != 0)
            list[(*shapes)++].shape = units[i]->shape;
    return list;
}

/* One process ranks one library after the other, shape by shape. One that is taken down is replaced.
 * ranks: of each shape WIRE_ARMS. 0 or TROUBLE. */
static int rank_shapes(struct device_session *session, int process, struct ranks *ranks) {
    struct unit_context context = {.plan = session->plan,
                                   .session = session,
                                   .process = PROCESS_NONE,
                                   .own = -1,
                                   .checked = {.kernel = {-1, -1}}};
    int status = 0;
    for (size_t i = 0; i < session->finalist_count && status == 0; i++) {
        struct finalists *finalists = &session->finalists[i];
        const struct unit unit = {.shape = finalists->shape};
        const double start = clock_seconds();
        bool died = false;
        context.unit = &unit;
        context.seed = seed_of_shape(session->plan->seed, unit.shape);
        status = open_process(&context) < 0
                     ? TROUBLE
                     : rank_libraries(&context, process, ranks + i * WIRE_ARMS, &died);
        if (died)
            unit_drop_runner(&context, &context.process);
        finalists->seconds += clock_seconds() - start;
    }
    unit_drop_runner(&context, &context.process);
    return status;
}

int finalists_rank(struct device_session *session, const struct unit *const *units, size_t count) {
    const struct plan *plan = session->plan;
    finalists_free(session);
    if (!is_wanted(plan) || count == 0)
        return 0;
    session->finalists = list_shapes(units, count, &session->finalist_count);
    struct ranks *ranks = need(session->finalist_count * WIRE_ARMS, sizeof *ranks);
    int status = 0;
    for (int process = 0; process < FINALISTS_PROCESSES && status == 0; process++)
        status = rank_shapes(session, process, ranks);
    session->killed = false; /* no process of a unit was */
    for (size_t i = 0; i < session->finalist_count; i++)
        for (int which = 0; which < plan->baseline_count; which++)
            choose(&ranks[i * WIRE_ARMS + (size_t)which], &session->finalists[i], which);
    free(ranks);
    return status;
}

void finalists_free(struct device_session *session) {
    free(session->finalists);
    session->finalists = NULL;
    session->finalist_count = 0;
}

const struct finalists *finalists_of(const struct device_session *session, struct shape shape) {
    for (size_t i = 0; i < session->finalist_count; i++)
        if (shape_compare(session->finalists[i].shape, shape) == 0)
            return &session->finalists[i];
    return NULL;
}

static bool has_baseline(const struct plan *plan, const char *name) {
    for (int i = 0; i < plan->baseline_count; i++)
        if (strcmp(plan->baselines[i], name) == 0)
            return true;
    return false;
}

int finalists_list(const struct unit_context *context, int which,
                   struct finalist list[FINALISTS_BEST + 1]) {
    const struct plan *plan = context->plan;
    const struct finalists *finalists = finalists_of(context->session, context->unit->shape);
    const char *name = plan->baselines[which];
    char first[RUNDIR_NAME];
    const int count = finalists ? finalists->of[which].count : 0;
    const bool has_first = layouts_first_of(name, first) && has_baseline(plan, first);
    int listed = 0;
    for (int i = 0; i < count; i++) {
        const int variant = finalists->of[which].variant[i];
        if (variant == 0 && has_first && count > 1)
            continue;
        layouts_name_finalist(name, variant, list[listed].name);
        list[listed++].variant = variant;
    }
    if (listed > 0)
        return listed;
    list[0] =
        (struct finalist){.variant = plan->autotuned[which] && plan->finalists ? 0 : WIRE_CHOOSE};
    snprintf(list[0].name, sizeof list[0].name, "%s", name);
    return 1;
}
