/* The subcommands about promoted runs: baseline and history. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/clock.h"
#include "bench/base/error.h"
#include "bench/command/commands.h"
#include "reports/store/history.h"
#include "reports/store/history_series.h"
#include "reports/store/store.h"

/* Options with a value; the rest are words. */
struct option {
    const char *name;
    const char **value;
};

/* Takes argv[1..] apart: each option at most once, and at most one word. */
static bool take(int argc, char **argv, const struct option *options, size_t count,
                 const char **word) {
    for (int i = 1; i < argc; i++) {
        size_t o = 0;
        while (o < count && strcmp(argv[i], options[o].name) != 0)
            o++;
        if (o == count && argv[i][0] == '-')
            return false;
        const char **slot = o == count ? word : ++i < argc ? options[o].value : NULL;
        if (!slot || *slot || !*argv[i])
            return false;
        *slot = argv[i];
    }
    return true;
}

static int promote(const char *store, const char *run, const char *name) {
    struct store_entry entry;
    char now[CLOCK_UTC];
    clock_utc(now);
    if (store_promote(store, run, name, now, &entry) < 0)
        return EXIT_TROUBLE;
    printf("promoted as %s (fingerprint %s): %zu shape%s, %zu rounds\n", entry.name, entry.key,
           entry.shapes, entry.shapes == 1 ? "" : "s", entry.rounds);
    return EXIT_PASS;
}

static int list(const char *store) {
    struct store_entry *entries;
    size_t count;
    if (store_list(store, &entries, &count) < 0)
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

static int show(const char *store, const char *name) {
    struct store_entry entry;
    struct fingerprint fingerprint;
    struct round_speeds levels = {0};
    char why[4096];
    const int found = store_find(store, name, NULL, &entry, why, sizeof why);
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

int command_baseline(int argc, char **argv) {
    const char *store = NULL, *name = NULL, *word = NULL;
    const struct option options[] = {{"--store", &store}, {"--name", &name}};
    const char *verb = argc > 1 ? argv[1] : "";
    if (argc > 1 && take(argc - 1, argv + 1, options, 2, &word) && store) {
        if (strcmp(verb, "promote") == 0 && word)
            return promote(store, word, name);
        if (strcmp(verb, "list") == 0 && !word && !name)
            return list(store);
        if (strcmp(verb, "show") == 0 && word && !name)
            return show(store, word);
    }
    return COMMAND_MISUSED;
}

int command_history(int argc, char **argv) {
    const char *store = NULL, *text = NULL, *baseline = NULL, *figure = NULL;
    const struct option options[] = {
        {"--store", &store}, {"--shape", &text}, {"--baseline", &baseline}, {"--figure", &figure}};
    struct shape shape;
    const char *wrong;
    if (!take(argc, argv, options, 4, NULL) || !store || !text)
        return COMMAND_MISUSED;
    if ((wrong = shape_parse(text, &shape))) {
        error("--shape %s: %s", text, wrong);
        return EXIT_TROUBLE;
    }
    return history_show(store, shape, baseline, figure);
}
