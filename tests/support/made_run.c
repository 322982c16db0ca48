/* Writes a finished run whose samples are made up, for tests that want a run with controls that
 * pass on whatever machine they run: made_run FOLDER SEED ROUNDS [disturbed | SLOWER]. The shapes
 * are 64x64x64 and 128x64x32, the libraries openblas-nn and openblas-tn, the candidate mine, which
 * takes the share SLOWER more time, 0 if not said, than 0.8 of the library's. */

#include "tests/support/store_run.h"

#include "tests/support/asserts.h"

int main(int argc, char **argv) {
    if (argc < 4) {
        fprintf(stderr, "usage: made_run FOLDER SEED ROUNDS [disturbed | SLOWER]\n");
        return 2;
    }
    const char *more = argc > 4 ? argv[4] : "";
    store_run_make(argv[1], &(struct store_run){.seed = (unsigned)strtoul(argv[2], NULL, 10),
                                                .rounds = (int)strtol(argv[3], NULL, 10),
                                                .disturbed = strcmp(more, "disturbed") == 0,
                                                .slower = strtod(more, NULL)});
    return 0;
}
