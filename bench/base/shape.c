#include "bench/base/shape.h"

#include <inttypes.h>
#include <stdio.h>

const char *shape_parse(const char *text, struct shape *shape) {
    int64_t size[3];
    const char *p = text;
    char separator = 0;
    for (int i = 0; i < 3; i++) {
        if (i > 0) {
            if (*p != 'x' && *p != '_')
                return "a shape is MxNxK or M_N_K";
            if (separator && *p != separator)
                return "a shape uses one separator, x or _, not both";
            separator = *p++;
        }
        if (*p == '-')
            return "sizes must be positive";
        if (*p < '0' || *p > '9')
            return "a shape is MxNxK or M_N_K";
        size[i] = 0;
        for (; *p >= '0' && *p <= '9'; p++) {
            size[i] = size[i] * 10 + (*p - '0');
            if (size[i] > SHAPE_MAX_SIZE)
                return "a size is over the largest accepted, 1048576";
        }
        if (size[i] == 0)
            return "sizes must be positive";
    }
    if (*p)
        return "a shape is MxNxK or M_N_K with nothing after it";
    *shape = (struct shape){size[0], size[1], size[2]};
    return NULL;
}

const char *shape_format(struct shape shape, char text[SHAPE_TEXT]) {
    snprintf(text, SHAPE_TEXT, "%" PRId64 "x%" PRId64 "x%" PRId64, shape.m, shape.n, shape.k);
    return text;
}

int shape_compare(struct shape a, struct shape b) {
    if (a.m != b.m)
        return a.m < b.m ? -1 : 1;
    if (a.n != b.n)
        return a.n < b.n ? -1 : 1;
    if (a.k != b.k)
        return a.k < b.k ? -1 : 1;
    return 0;
}

double shape_flops(struct shape shape) {
    return 2.0 * (double)shape.m * (double)shape.n * (double)shape.k;
}
