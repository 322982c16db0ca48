#include "reports/rows/kept_text.h"

#include <search.h>
#include <string.h>

#include "bench/base/need.h"

static int compare(const void *left, const void *right) {
    return strcmp(left, right);
}

const char *kept_text(const char *text) {
    static void *kept;
    char *const *found = tfind(text, &kept, compare);
    return found ? *found : *(char *const *)tsearch(need_copy(text), &kept, compare);
}
