/* The command line of a run, kept in its folder, so that --resume and -o alone go on with it. */
#ifndef BENCH_COMMAND_REMEMBERED_H
#define BENCH_COMMAND_REMEMBERED_H

#include <jansson.h>

/* command.json: the command, the words behind it but -o and --resume, and the folder where they
 * were given. The caller decrefs. */
json_t *remembered_make(const char *command, int count, char *const *words);

/* Where the words ask to resume a run and say nothing else but -o RUN: puts the words that the run
 * was begun with before them, and goes to the folder where these were given. *words is then the
 * caller's, to free with its texts never. 0, also where there is nothing to recall; -1 after
 * error(). */
int remembered_recall(int *count, char ***words);

#endif
