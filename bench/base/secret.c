#include "bench/base/secret.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

#include "bench/base/error.h"

int secret_draw(uint64_t *secret) {
    if (getrandom(secret, sizeof *secret, 0) != sizeof *secret)
        return error("no random number to be had: %s", strerror(errno));
    return 0;
}
