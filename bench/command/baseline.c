/* gemmgate baseline: promote, list and show. */
#include <stdio.h>
#include <stdlib.h>

#include "bench/base/clock.h"
#include "bench/base/error.h"
#include "bench/command/commands.h"
#include "reports/store/history_series.h"
#include "reports/store/store.h"

int command_baseline_promote(struct settings *settings) {
    struct store_entry entry;
    char now[CLOCK_UTC];
    clock_utc(now);
    if (store_promote(settings->store, settings->arguments[0], settings->name, now, &entry) < 0)
        return EXIT_TROUBLE;
    printf("promoted as %s (fingerprint %s): %zu shape%s, %zu rounds\n", entry.name, entry.key,
           entry.shapes, entry.shapes == 1 ? "" : "s", entry.rounds);
    return EXIT_PASS;
}

int command_baseline_list(struct settings *settings) {
    struct store_entry *entries;
    size_t count;
    if (store_list(settings->store, &entries, &count) < 0)
        return EXIT_TROUBLE;
    for (size_t i = 0; i < count; i++) {
        const struct store_entry *entry = &entries[i];
        printf("%s  %s  %s  %.12s  %s: %zu shape%s, %zu rounds, on %s\n", entry->promoted,
               entry->name, entry->key, *entry->commit ? entry->commit : "-",
               *entry->set ? entry->set : "-", entry->shapes, entry->shapes == 1 ? "" : "s",
               entry->rounds, entry->device);
    }
    free(entries);
    return EXIT_PASS;
}

static void print_levels(const struct round_speeds *levels) {
    printf("\n%-20s  %-20s  %-26s  %-7s  %-7s  %7s  %17s  %6s\n", "shape", "candidate", "reference",
           "mode", "lens", "ratio", "95 % interval", "rounds");
    for (size_t i = 0; i < levels->count; i++) {
        const struct round_speed *level = &levels->list[i];
        const struct stats_interval ratio = history_series_ratio(level);
        char shape[SHAPE_TEXT];
        printf("%-20s  %-20s  %-26s  %-7s  %-7s  %7.4f  %7.4f .. %.4f  %6zu\n",
               shape_format(level->shape, shape), level->candidate, level->reference, level->mode,
               level->lens, ratio.estimate, ratio.low, ratio.high, level->rounds);
    }
}

int command_baseline_show(struct settings *settings) {
    struct store_entry entry;
    struct fingerprint fingerprint;
    struct round_speeds levels = {0};
    const char *store = settings->store;
    char why[4096];
    const int found = store_find(store, settings->arguments[0], NULL, &entry, why, sizeof why);
    if (found == 0)
        error("%s: %s", store, why);
    if (found != 1 || store_read(store, &entry, &levels, &fingerprint) < 0)
        return EXIT_TROUBLE;
    printf("entry        %s\npromoted     %s\nmeasured     %s\nplan         %s\nset          %s\n"
           "commit       %s\ndevice       %s\nfingerprint  %s\n",
           entry.name, entry.promoted, entry.start, entry.plan_hash, entry.set,
           *entry.commit ? entry.commit : "-", entry.device, entry.key);
    for (size_t i = 0; i < fingerprint.count; i++)
        if (*fingerprint.values[i])
            printf("  %-32s  %s\n", fingerprint.names[i], fingerprint.values[i]);
    print_levels(&levels);
    round_speeds_free(&levels);
    return EXIT_PASS;
}
