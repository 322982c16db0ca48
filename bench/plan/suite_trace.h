/* The GEMM workloads of a FlashInfer-Trace dataset as a suite. */
#ifndef BENCH_PLAN_SUITE_TRACE_H
#define BENCH_PLAN_SUITE_TRACE_H

#include "bench/plan/suite_list.h"

#define SUITE_TRACE "flashinfer-trace:"

/* Definitions are the *.json files anywhere below FOLDER/definitions. Of those with op_type gemm
 * the axes M, N and K count, which are constants or variables. Workloads are the lines of the
 * *.jsonl files below FOLDER/workloads; each gives the variables of one definition. The count of a
 * shape is the number of its workloads. 0, or -1 after error() with file and line. */
int suite_trace_load(const char *folder, struct suite *suite);

#endif
