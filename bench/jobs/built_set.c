#include "bench/jobs/built_set.h"

#include <stdio.h>
#include <stdlib.h>

#include "bench/base/error.h"
#include "bench/base/need.h"
#include "bench/base/text.h"
#include "bench/process/interrupt.h"
#include "bench/process/sandbox.h"

static void say_built(void *context, const struct candidate *candidate, const struct built *built) {
    (void)context;
    if (!built->cached)
        text_print_line(stderr, "built %s in %.1f s%s", candidate_words(candidate), built->seconds,
                        built->outcome == BUILD_OK ? "" : ": failed");
}

int built_set_make(const struct candidate_set *set, const struct build_options *build,
                   const struct device_info *device, const bool *wanted, bool confined,
                   struct built **built) {
    struct build_options options = *build;
    const int sm = device->sm;
    *built = NULL;
    if (set->count == 0)
        return 0;
    if (*set->arch && sm > 0 && sm < atoi(set->arch))
        return error("%s was written for sm_%s; %s is sm_%d", set->folder, set->arch, device->name,
                     sm);
    options.stop = &interrupted;
    options.confine = confined ? confine_compiler : NULL;
    if (sm > 0 && !*options.arch)
        snprintf(options.arch, sizeof options.arch, "%d%s", sm, sm == 90 ? "a" : "");
    *built = need(set->count, sizeof **built);
    return build_all(set, wanted, &options, *built, say_built, NULL);
}
