#include "bench/plan/arm_names.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/utf8.h"
#include "reports/pairs/pairs.h"
#include "reports/rows/derive.h"

/* The library itself, or the X-max that is derived of an X-nn. */
static bool is_library(const char *label, const char *library) {
    const size_t length = strlen(library), stem = length < 3 ? 0 : length - 3;
    if (strcmp(label, library) == 0)
        return true;
    return stem > 0 && strcmp(library + stem, "-nn") == 0 && strncmp(label, library, stem) == 0 &&
           strcmp(label + stem, "-max") == 0;
}

/* A folder's name, which may be cut off, has not been looked at yet. */
static bool is_text(const char *label) {
    uint32_t code;
    for (size_t length; *label; label += length)
        if ((length = utf8_decode(label, &code)) == 0 || code < ' ' || code == 0x7f)
            return false;
    return true;
}

/* Why no kernel may be called so, or NULL. */
static const char *what_speaks_against(const char *label, const struct machine_baseline *libraries,
                                       int count) {
    for (int i = 0; i < count; i++)
        if (is_library(label, libraries[i].name))
            return "as a library is";
    if (strcmp(label, RUNDIR_PREVIOUS) == 0)
        return "as the earlier release is that --against times beside it";
    if (derive_is_control(label))
        return "as a control is";
    if (!derive_is_arm(label))
        return "as what is noted beside the samples is";
    if (!is_text(label))
        return "which, at 63 bytes at most, is no UTF-8 without control characters";
    return NULL;
}

int arm_names_check(const struct candidate_set *set, const struct machine_baseline *libraries,
                    int count) {
    for (size_t i = 0; i < set->count; i++) {
        const struct candidate *c = &set->list[i];
        const char *why = what_speaks_against(c->label, libraries, count);
        if (why)
            return error("%s: the kernel would be called '%s', %s: %s", c->path, c->label, why,
                         c->has_shape ? "give the set another name, its folder's or the one in its "
                                        "gemmgate.ini"
                                      : "rename the file");
    }
    return 0;
}
