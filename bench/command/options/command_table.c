#include "bench/command/options/command_table.h"

#include <string.h>

#define MEASURE "Measure"
#define JUDGE "Judge"
#define READ "Read a run"
#define KEEP "Keep runs"
#define LOOK "Look around"

const struct command command_table[COMMAND_COUNT] = {
    [COMMAND_RUN] = {"run", MEASURE, "check kernels, then time them beside the libraries", "", 0, 0,
                     "Every shape is checked before it is timed. A kernel that fails is named in "
                     "the report and not timed. Without --candidates, only the libraries are run. "
                     "The exit status is 0 when the work was done, "
                     "whatever became of each kernel, unless --fail-on refused is given.",
                     "gemmgate run --suite smoke --candidates kernels/ -o runs/first\n"
                     "gemmgate report runs/first"},
    [COMMAND_CHECK] = {"check", MEASURE, "check kernels without timing them", "", 0, 0,
                       "It takes the options of `run`, so that a command line can be tried "
                       "quickly; those about timing change nothing. The last line says how many "
                       "kernels passed, each counted once a shape. The exit status is 6 where one "
                       "was refused.",
                       "gemmgate check --suite smoke --candidates kernels/ -o runs/checked"},
    [COMMAND_BUILD] = {"build", MEASURE, "compile kernels into the cache; no GPU is needed", "", 0,
                       0,
                       "The exit status is 0 if any file compiled, 5 if this machine lacks what "
                       "each of them needs, else 2. "
                       "A line for each file says what became of it. With --suite or --shapes, "
                       "only the kernels for these shapes are compiled; with --sample, those that "
                       "a run with this --seed measures. Kernels with `call` in gemmgate.ini are "
                       "compiled for --element.",
                       "gemmgate build --candidates kernels/ --arch 80"},
    [COMMAND_GATE] =
        {"gate", JUDGE, "pass or fail a kernel set, for CI",
         "--candidates NEW --against OLD --suite NAME|FILE -o RUN\nRUN", 0, 1,
         "It measures and judges, or judges a RUN that is measured already. With --shard I/N it "
         "measures a part; `gemmgate merge` makes a run of the parts, and `gemmgate gate --resume "
         "-o RUN` goes on with that. Exit status: 0 pass, 1 "
         "regression or too few shapes with a kernel, 2 error, 3 inconclusive, 4 not comparable, 5 "
         "environment, 6 refused kernel, 75 interrupted, 77 no such device. Everything "
         "that CI shows is under RUN/gate/, whatever the verdict.",
         "gemmgate gate --candidates new/ --against old/ --suite smoke -o runs/gate\n"
         "gemmgate gate runs/gate --policy merge.ini"},
    [COMMAND_COMPARE] =
        {"compare", JUDGE, "compare two releases of a kernel set, shape by shape",
         "OLD NEW --suite NAME|FILE -o RUN\nOLD NEW\nRUN", 0, 2,
         "Two folders of kernels are timed beside each other: that is the sharpest comparison "
         "there is. Two run directories must come from equal machines. One run is compared with "
         "the earlier release that it was measured with (--against). What is measured already is "
         "compared in the FOLDER of -o; where kernels are measured, that is the run directory to "
         "make.",
         "gemmgate compare old/ new/ --suite smoke -o runs/compared\n"
         "gemmgate compare runs/monday runs/tuesday --baseline cublas-max"},
    [COMMAND_AGREE] =
        {"agree", READ, "say how far runs of one plan agree, as their intervals say they should",
         "RUN RUN...", 2, -1,
         "By mode, lens and size: the share of rows whose intervals agree (it should be 95 %), how "
         "much the ratios differ, and the verdicts that changed. Above it stand the summary lines "
         "of the runs. The exit status is 0 however far they agree, and 4 where "
         "the plans differ in more than the seed and the device, or the machines differ.",
         "gemmgate agree runs/monday runs/tuesday"},
    [COMMAND_WINNERS] =
        {"winners", READ, "name the fastest honest kernel or library of each shape", "RUN...", 1,
         -1,
         "The runs are of equal machines, each of a kernel set. A kernel wins if it is shown to be "
         "faster than the strongest library of the shape, and not the same within the margin; else "
         "the library wins. With -o FOLDER they are also written as winners.h, a C header with a "
         "function that finds the winner of a shape.",
         "gemmgate winners runs/mine runs/theirs -o winners/"},
    [COMMAND_REPORT] = {"report", READ, "make tables and figures of a run, under RUN/report", "RUN",
                        1, -1,
                        "After --again there may be several RUNs, also of other devices: their "
                        "summary lines stand beside those of the run.",
                        "gemmgate report runs/first\n"
                        "gemmgate report runs/monday --again runs/tuesday"},
    [COMMAND_VERIFY] = {"verify", READ, "derive every number of a run again from its samples",
                        "RUN", 1, 1, "", "gemmgate verify runs/first"},
    [COMMAND_MERGE] = {"merge", KEEP, "make one run of its shards", "SHARD...", 1, -1,
                       "The shards are of one plan and seed; whole runs of other seeds are put "
                       "together by `gemmgate report RUN --again RUN2`. The exit status is 3 where "
                       "units are missing, which it lists, and 4 where the machines differ.",
                       "gemmgate merge runs/part1 runs/part2 -o runs/whole"},
    [COMMAND_IMPORT_CUDA_L2] = {"import cuda-l2", KEEP,
                                "make a run directory of the ratios that CUDA-L2 has published", "",
                                0, 0,
                                "At least one of --offline and --server is needed. Each is a CSV "
                                "file that was published. Names like "
                                "cuda_l2_SET_speedup_offline.csv say the set. The sets of A100 and "
                                "RTX 3090 were timed by events, lens call. All others were timed "
                                "by the host's clock, lens wait.",
                                "gemmgate import cuda-l2 --offline speedups.csv -o runs/published"},
    [COMMAND_IMPORT] =
        {"import", KEEP, "make a run directory of times that another tool has measured",
         "cutlass_profiler|nvbench|triton FILE", 2, 2,
         "The run has times and ratios, and no samples, checks or controls. "
         "cutlass_profiler: what --output writes, lens stream; the fastest operation on a shape "
         "counts. nvbench: what --json writes, with the axes M, N and K, lenses device and "
         "stream. triton: times of do_bench with the columns m, n, k, provider and ms, lens "
         "device. Rows of other types are refused.",
         "gemmgate import triton times.csv -o runs/triton"},
    [COMMAND_BASELINE_PROMOTE] =
        {"baseline promote", KEEP, "keep a run in a store, for later gates to compare with", "RUN",
         1, 1, "", "gemmgate baseline promote runs/release --store store/ --name v2"},
    [COMMAND_BASELINE_LIST] = {"baseline list", KEEP, "list the runs of a store", "", 0, 0, "",
                               "gemmgate baseline list --store store/"},
    [COMMAND_HISTORY] = {"history", KEEP, "show what changed over the runs of a store", "", 0, 0,
                         "", "gemmgate history --store store/ -o history/"},
    [COMMAND_DEVICES] = {"devices", LOOK, "list what this machine can measure on", "", 0, 0, "",
                         "gemmgate devices"},
    [COMMAND_LIST_BASELINES] = {"list baselines", LOOK, "list the libraries to compare with", "", 0,
                                0, "", "gemmgate list baselines"},
    [COMMAND_LIST_SUITES] = {"list suites", LOOK, "list the suites of shapes", "", 0, 0, "",
                             "gemmgate list suites"},
    [COMMAND_LIST_CANDIDATES] = {"list candidates", LOOK, "list the kernels of a folder", "DIR", 1,
                                 1,
                                 "cuda-l2:DIR with a checkout of CUDA-L2 lists its sets. Of files "
                                 "of torch functions without "
                                 "a call it prints a gemmgate.ini.",
                                 "gemmgate list candidates kernels/"},
    [COMMAND_LIST_COLUMNS] = {"list columns", LOOK, "list the columns of a run's CSV files", "", 0,
                              0, "", "gemmgate list columns"},
};

/* Whether the name's first word is this one. */
static int begins(const char *name, const char *word) {
    const size_t length = strcspn(name, " ");
    return strlen(word) == length && strncmp(name, word, length) == 0;
}

enum command_id command_find(int *count, char ***words) {
    for (int id = 0; id < COMMAND_COUNT; id++) {
        const char *name = command_table[id].name, *second = strchr(name, ' ');
        const int wanted = second ? 2 : 1;
        if (*count < wanted || !begins(name, (*words)[0]) ||
            (second && strcmp((*words)[1], second + 1) != 0))
            continue;
        *count -= wanted;
        *words += wanted;
        return (enum command_id)id;
    }
    return COMMAND_COUNT;
}
