#include "candidates/set/serve.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/place.h"

/* The stand-in for torch, which a set with `call` has last, behind that of the element. */
static int put_standin_first(struct candidate_set *set) {
    char folder[PATH_MAX], flag[sizeof set->flags[0]];
    if (place_find("candidates/standin/bf16", folder) < 0)
        return -1;
    if (snprintf(flag, sizeof flag, "-I%s", folder) >= (int)sizeof flag)
        return error("%s: the path is too long", folder);
    if (set_add_flag(set, flag) < 0)
        return -1;
    const int last = set->flag_count - 1;
    memcpy(set->flags[last], set->flags[last - 1], sizeof flag);
    memcpy(set->flags[last - 1], flag, sizeof flag);
    return 0;
}

static int refuse(const struct candidate_set *set, enum element element) {
    const char *word = element_words[element];
    if (set->elements_line)
        return error("%s/gemmgate.ini:%d: its kernels serve %s, and --element is %s", set->folder,
                     set->elements_line, element_list(set->elements), word);
    return set->call_count > 0
               ? error("%s/gemmgate.ini: functions with call serve f16 unless it says element = "
                       "%s, and --element is %s",
                       set->folder, word, word)
               : error("%s: its kernels serve %s, and --element is %s", set->folder,
                       element_list(set->elements), word);
}

int set_serve(struct candidate_set *set, enum element element) {
    if (set->elements && !(set->elements & 1 << element))
        return refuse(set, element);
    set->element = element;
    return element == ELEMENT_BF16 && set->call_count > 0 ? put_standin_first(set) : 0;
}
