/* What the runner does for each request of bench/process/wire.h. */
#ifndef BENCH_RUNNER_REQUESTS_REQUESTS_H
#define BENCH_RUNNER_REQUESTS_REQUESTS_H

#include "bench/runner/runner.h"

/* Each carries out one request and fills its part of the reply. reply->status is -1 with a text for
 * a fault of the harness or machine; an arm's fate is reply->outcome. */
void runner_library(const struct wire_library *request, struct wire_reply *reply);
void runner_open(struct runner *runner, const struct wire_open *request, struct wire_reply *reply);
void runner_shape(struct runner *runner, const struct wire_shape *request,
                  struct wire_reply *reply);
void runner_add(struct runner *runner, const struct wire_add *request, struct wire_reply *reply);
void runner_tune(struct runner *runner, const struct wire_tune *request, struct wire_reply *reply);
void runner_call(struct runner *runner, const struct wire_call *request, struct wire_reply *reply);
void runner_time(struct runner *runner, const struct wire_time *request, struct wire_reply *reply);
void runner_trace(struct runner *runner, const struct wire_trace *request,
                  struct wire_reply *reply);
void runner_last(struct runner *runner, const struct wire_last *request, struct wire_reply *reply);
void runner_profile(struct runner *runner, const struct wire_profile *request,
                    struct wire_reply *reply);
void runner_record(struct runner *runner, const struct wire_record *request,
                   struct wire_reply *reply);
void runner_load(struct runner *runner, const struct wire_load *request, struct wire_reply *reply);
void runner_play(struct runner *runner, const struct wire_play *request, struct wire_reply *reply);
void runner_time_played(struct runner *runner, const struct wire_time_played *request,
                        struct wire_reply *reply);
void runner_product(struct runner *runner, const struct wire_product *request,
                    struct wire_reply *reply);
void runner_peak(struct runner *runner, struct wire_reply *reply);

#endif
