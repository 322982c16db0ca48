/* Writes a finished run whose samples are made up, for tests that want a run with controls that
 * pass on whatever machine they run: made_run FOLDER SEED VISITS [WORD | SLOWER]... The words are
 * members of struct store_run: disturbed, beside, wild, shaken. The shapes are 64x64x64 and
 * 128x64x32, the libraries openblas-nn and openblas-tn, the candidate mine, which takes the share
 * SLOWER more time, 0 if not said, than 0.8 of the library's. */

#include "tests/support/store_run.h"

#include "tests/support/asserts.h"

int main(int argc, char **argv) {
    if (argc < 4) {
        fprintf(stderr, "usage: made_run FOLDER SEED VISITS [WORD | SLOWER]...\n");
        return 2;
    }
    struct store_run made = {.seed = (unsigned)strtoul(argv[2], NULL, 10),
                             .visits = (int)strtol(argv[3], NULL, 10)};
    for (int i = 4; i < argc; i++) {
        made.disturbed |= strcmp(argv[i], "disturbed") == 0;
        made.beside |= strcmp(argv[i], "beside") == 0;
        made.wild |= strcmp(argv[i], "wild") == 0;
        made.shaken |= strcmp(argv[i], "shaken") == 0;
        made.slower += strtod(argv[i], NULL);
    }
    store_run_make(argv[1], &made);
    return 0;
}
