#include "reports/rows/library_pairs.h"

#include <string.h>

/* Whether `other` is `name` with the part of it that begins at `from` and ends at `to` replaced. */
static bool is_name_with(const char *name, const char *from, const char *to, const char *part,
                         const char *other) {
    const size_t head = (size_t)(from - name), length = strlen(part);
    return strncmp(name, other, head) == 0 && strncmp(other + head, part, length) == 0 &&
           strcmp(other + head + length, to) == 0;
}

static const char *layout_of(const char *name) {
    const char *last = strrchr(name, '-');
    return last && (strcmp(last, "-nn") == 0 || strcmp(last, "-tn") == 0 ||
                    strcmp(last, "-max") == 0)
               ? last
               : name + strlen(name);
}

bool library_is_beside(const char *name, const char *other) {
    static const char searched[] = "-exhaustive";
    const char *release = strchr(name, LIBRARY_RELEASE), *search = strstr(name, searched);
    if (release && release > name)
        return is_name_with(name, release, layout_of(name), "", other);
    if (!search)
        return false;
    const char *end = search + strlen(searched);
    return is_name_with(name, search, end, "-heuristic", other) ||
           is_name_with(name, search, end, "-autotune", other);
}
