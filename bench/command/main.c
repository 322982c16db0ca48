/* gemmgate: one table of subcommands. */
#include "bench/command/commands.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "bench/base/error.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
    const char *usage; /* of those without options of argp's, which tells of them itself */
} commands[] = {
    {"run", command_run, "check and time kernels against the libraries", NULL},
    {"check", command_check, "the same selection, checks only", NULL},
    {"build", command_build, "compile a candidate set into the cache", NULL},
    {"compare", command_compare, "two releases of a kernel set, shape by shape", NULL},
    {"gate", command_gate, "pass or fail a set: for CI before a merge or a release", NULL},
    {"report", command_report, "tables and figures of a run",
     "RUN [--claims FILE] [--published RUN]"},
    {"merge", command_merge, "the shards of a run, made one", "SHARD... -o RUN"},
    {"verify", command_verify, "derive every number of a run again from its samples", "RUN"},
    {"import", command_import, "make a run directory of published ratios",
     "cuda-l2 [--offline A.csv] [--server B.csv] -o RUN"},
    {"profile", command_profile, "Nsight Compute's counters of chosen kernels of a run", NULL},
    {"reward", command_reward, "the paper's eq. (3) for each kernel, a JSON line each",
     "RUN [--alpha A] [--beta B] [--baseline NAME]; by default A is 1 and B is 0"},
    {"baseline", command_baseline, "a store of promoted runs: promote, list, show",
     "promote RUN --store STORE [--name NAME] | list --store STORE | show NAME --store STORE"},
    {"history", command_history, "one shape over the promoted runs",
     "--store STORE --shape MxNxK [--baseline NAME] [--figure FILE.png|FILE.svg]"},
    {"list", command_list, "baselines, suites, or the candidates of a folder",
     "baselines | suites | candidates DIR [--cutlass DIR]"},
    {"devices", command_devices, "what this machine can measure on", ""},
};
enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static void usage(FILE *out) {
    fprintf(out, "usage: gemmgate COMMAND ...\n\n");
    for (int i = 0; i < COMMAND_COUNT; i++)
        fprintf(out, "  %-9s %s\n", commands[i].name, commands[i].summary);
    fprintf(out, "\ngemmgate COMMAND --help tells the options of a command.\n");
}

/* Runs it, or tells in a line how it is called. */
static int run_command(int which, int argc, char **argv) {
    const char *usage = commands[which].usage, *blank = usage && *usage ? " " : "";
    if (usage && argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        printf("usage: gemmgate %s%s%s\n\n%s\n", argv[0], blank, usage, commands[which].summary);
        return EXIT_PASS;
    }
    const int status = commands[which].run(argc, argv);
    if (status != COMMAND_MISUSED)
        return status;
    error("usage: gemmgate %s%s%s", argv[0], blank, usage ? usage : "");
    return EXIT_TROUBLE;
}

/* Results that did not reach stdout (a full disk, say) are not results. */
static int close_stdout(int status) {
    if ((fflush(stdout) == EOF || ferror(stdout)) && status == EXIT_PASS) {
        error("cannot write to standard output");
        return EXIT_TROUBLE;
    }
    return status;
}

int main(int argc, char **argv) {
    /* A file over its size limit and a closed pipe are errors of write(), not deaths. */
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
                     strcmp(argv[1], "help") == 0)) {
        usage(stdout);
        return close_stdout(EXIT_PASS);
    }
    if (argc > 1 && strcmp(argv[1], "--version") == 0) {
        printf("gemmgate %s\n", GEMMGATE_VERSION);
        return close_stdout(EXIT_PASS);
    }
    for (int i = 0; argc > 1 && i < COMMAND_COUNT; i++)
        if (strcmp(argv[1], commands[i].name) == 0)
            return close_stdout(run_command(i, argc - 1, argv + 1));
    if (argc > 1)
        error("unknown command %s", argv[1]);
    usage(stderr);
    return EXIT_TROUBLE;
}
