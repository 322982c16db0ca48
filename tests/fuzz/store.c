/* A store of one entry, KEY/n, where KEY stands for the key that the fingerprint's fields give and
 * HASH for the hash of levels.csv. */
#include "reports/store/store.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "reports/store/history.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/hash.h"

enum { STORE, FINGERPRINT, ENTRY, LEVELS, PARTS };

/* Of the fields, whatever key the file says. */
static void find_key(const struct fuzz_part *part, char key[17]) {
    struct fingerprint fingerprint;
    json_t *json = part->data ? json_loadb((const char *)part->data, part->size, 0, NULL) : NULL;
    strcpy(key, "0123456789abcdef");
    if (json) {
        fingerprint_from_json(json, "fingerprint.json", &fingerprint);
        if (*fingerprint.key)
            strcpy(key, fingerprint.key);
    }
    json_decref(json);
}

static void read_entry(const char *store, const struct store_entry *entry) {
    struct fingerprint fingerprint, other = {.count = 0};
    struct store_entry found;
    struct pairs speeds;
    char why[256];
    if (store_read(store, entry, &speeds, &fingerprint) < 0)
        return;
    fuzz_promise(fingerprint_differ(&fingerprint, &fingerprint, why, sizeof why) == 0);
    fuzz_promise(store_find(store, entry->name, NULL, &found, why, sizeof why) == 1);
    fuzz_promise(store_find(store, NULL, &fingerprint, &found, why, sizeof why) == 1);
    fuzz_promise(store_find(store, NULL, &other, &found, why, sizeof why) == 0 && *why);
    for (size_t i = 0; i < speeds.count && i < 4; i++) {
        int shown = history_show(
            &(struct history_call){.store = store, .baseline = speeds.list[i].reference});
        fuzz_promise(shown == EXIT_PASS);
    }
    fuzz_promise(store_on_other_card(store, entry, &speeds) >= 0);
    for (size_t i = 0; i < speeds.count; i++)
        fuzz_promise(!isinf(speeds.list[i].used.variance));
    fuzz_read += speeds.count > 0;
    pairs_free(&speeds);
}

void fuzz_store(const uint8_t *data, size_t size) {
    struct fuzz_part parts[PARTS];
    struct store_entry *list;
    char key[17], paths[PARTS][64];
    const char *names[PARTS];
    size_t count;
    fuzz_split(data, size, parts, PARTS);
    find_key(&parts[FINGERPRINT], key);
    snprintf(paths[STORE], sizeof paths[0], "store/store.json");
    snprintf(paths[FINGERPRINT], sizeof paths[0], "store/%s/fingerprint.json", key);
    snprintf(paths[ENTRY], sizeof paths[0], "store/%s/n/entry.json", key);
    snprintf(paths[LEVELS], sizeof paths[0], "store/%s/n/levels.csv", key);
    for (int i = 0; i < PARTS; i++)
        names[i] = paths[i];
    uint8_t *fingerprint = hash_put(&parts[FINGERPRINT], "KEY", key);
    uint8_t *keyed = hash_put(&parts[ENTRY], "KEY", key);
    uint8_t *entry = hash_put_of(&parts[ENTRY], &parts[LEVELS]);
    char folder[64], store[256];
    snprintf(folder, sizeof folder, "store/%s/n", key);
    snprintf(store, sizeof store, "%s", fuzz_path("store"));
    fuzz_promise(files_make_folder(fuzz_path(folder)) == 0);
    fuzz_put_parts(names, parts, PARTS);
    if (store_list(store, &list, &count) == 0) {
        fuzz_promise(count == 1 && list[0].shapes > 0 && list[0].visits > 1);
        read_entry(store, list);
        free(list);
    }
    files_remove_tree(store);
    free(fingerprint);
    free(keyed);
    free(entry);
}
