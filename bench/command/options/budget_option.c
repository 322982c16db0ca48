#include "bench/command/options/budget_option.h"

#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"

int budget_option(const char *text, double *seconds) {
    static const struct {
        const char *unit;
        double seconds;
    } units[] = {{"", 1}, {"s", 1}, {"m", 60}, {"h", 3600}};
    char *end;
    const double number = strtod(text, &end);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (end != text && strcmp(end, units[i].unit) == 0 && number > 0 && number <= 1e6) {
            *seconds = number * units[i].seconds;
            return 0;
        }
    return error("--budget %s: a time is wanted, as 90s, 10m or 2h", text);
}
