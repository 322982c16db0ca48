/* Functions that keep the addresses of their first call. gemmgate.ini says what is planted in each.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../../../candidates/examples/host/half.h"
#include "../../timed/late.h"

static struct {
    const uint16_t *a, *b;
    uint16_t *c;
} kept;

static void keep(const void *a, const void *b, void *c) {
    if (kept.c)
        return;
    kept.a = a;
    kept.b = b;
    kept.c = c;
}

static int product(int64_t m, int64_t n, int64_t k) {
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            float sum = 0;
            for (int64_t l = 0; l < k; l++)
                sum += half_widen(kept.a[i * k + l]) * half_widen(kept.b[l * n + j]);
            kept.c[i * n + j] = half_narrow(sum);
        }
    return 0;
}

/* An honest twin. */
int keeps(const void *a, const void *b, void *c, int64_t m, int64_t n, int64_t k) {
    keep(a, b, c);
    return product(m, n, k);
}

/* Later every second call takes what is at the address of C for its answer. */
int skips(const void *a, const void *b, void *c, int64_t m, int64_t n, int64_t k) {
    static int skip;
    keep(a, b, c);
    if (is_late())
        skip = !skip;
    return skip ? 0 : product(m, n, k);
}

/* Later it gives the product again that it has kept of these addresses. */
int answers(const void *a, const void *b, void *c, int64_t m, int64_t n, int64_t k) {
    static uint16_t *answer;
    const size_t bytes = (size_t)(m * n) * sizeof *answer;
    keep(a, b, c);
    if (answer) {
        memcpy(kept.c, answer, bytes);
        return 0;
    }
    product(m, n, k);
    if (is_late() && (answer = malloc(bytes)))
        memcpy(answer, kept.c, bytes);
    return 0;
}
