/* For tests: recordings that recipes compile to, where the GPU is the host. Its one kernel is the
 * one of tests/fuzz/corpus/cubin, k(struct operands, int, unsigned char *, char): the product,
 * where the memory that it is given begins with that char. A cubin with a B at byte 10 cannot be
 * loaded. Calls are synchronous. */
#ifndef TESTS_SUPPORT_FAKE_CUBIN_H
#define TESTS_SUPPORT_FAKE_CUBIN_H

#include "bench/replay/player.h"

struct fake_cubin;

/* As the functions of a player. The recording stays as long as this does. */
int fake_cubin_open(const struct recording *recording, struct fake_cubin **result);
void fake_cubin_close(struct fake_cubin *cubin);
void fake_cubin_restore(struct fake_cubin *cubin);
int fake_cubin_play(struct fake_cubin *cubin, const struct player_operands *operands);

#endif
