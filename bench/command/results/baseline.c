/* gemmgate baseline: promote, list and show. */
#include <stdio.h>
#include <stdlib.h>

#include "bench/base/clock.h"
#include "bench/base/error.h"
#include "bench/command/commands.h"
#include "reports/store/store_page.h"

int command_baseline_promote(struct settings *settings) {
    struct store_entry entry;
    char now[CLOCK_UTC];
    clock_utc(now);
    if (store_promote(settings->store, settings->arguments[0], settings->name, settings->force, now,
                      &entry) < 0)
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
    const int status = listing_print(settings, store_page_list(entries, count), "entries");
    free(entries);
    return status;
}

int command_baseline_show(struct settings *settings) {
    struct store_entry entry;
    struct fingerprint fingerprint;
    struct pairs speeds = {0};
    const char *store = settings->store;
    char why[4096];
    const int found = store_find(store, settings->arguments[0], NULL, &entry, why, sizeof why);
    if (found == 0)
        error("%s: %s", store, why);
    if (found != 1 || store_read(store, &entry, &speeds, &fingerprint) < 0)
        return EXIT_TROUBLE;
    const int status =
        listing_print(settings, store_page_entry(&entry, &fingerprint, &speeds), NULL);
    pairs_free(&speeds);
    return status;
}
