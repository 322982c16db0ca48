#include "reports/rows/samples.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/hash.h"
#include "bench/base/jsonfile.h"
#include "bench/base/need.h"

#define INDEX "samples.json"

#define PREVIOUS "." RUNDIR_PREVIOUS

bool samples_of_previous(const struct samples *samples) {
    bool has = false;
    for (size_t i = 0; i < samples->column_count; i++)
        has |= strcmp(samples->columns[i], RUNDIR_PREVIOUS) == 0;
    return has && samples->place != PLACE_STAGE;
}

/* "MODE.LENS" or "MODE.LENS.previous", with room for ".f32" */
struct name {
    char text[2 * RUNDIR_NAME + sizeof PREVIOUS + 8];
};

static struct name name_of(const struct samples *samples, const char *suffix) {
    struct name name;
    snprintf(name.text, sizeof name.text, "%s.%s%s%s", samples->mode, samples->lens,
             samples_of_previous(samples) ? PREVIOUS : "", suffix);
    return name;
}

/* Refuses what could not be told apart when read again. */
static int check(const char *folder, const struct samples *samples) {
    const struct name name = name_of(samples, "");
    if (!*samples->mode || !*samples->lens || strchr(samples->mode, '.') || strchr(name.text, '/'))
        return error("%s: '%s' cannot name samples", folder, name.text);
    if (samples->column_count == 0 || samples->column_count > SAMPLES_COLUMNS)
        return error("%s: %s: %zu columns of samples; there must be 1 to %d", folder, name.text,
                     samples->column_count, SAMPLES_COLUMNS);
    for (size_t i = 0; i < samples->column_count; i++) {
        if (!*samples->columns[i])
            return error("%s: %s: column %zu has no name", folder, name.text, i);
        for (size_t j = 0; j < i; j++)
            if (strcmp(samples->columns[i], samples->columns[j]) == 0)
                return error("%s: %s: two columns are called '%s'", folder, name.text,
                             samples->columns[i]);
    }
    return 0;
}

static bool is_possible(const char *column, float value) {
    if (strcmp(column, SAMPLES_VISIT) == 0)
        return value >= 0 && value < SAMPLES_VISITS && value == floorf(value);
    if (strcmp(column, SAMPLES_DISTURBED) == 0 || strcmp(column, SAMPLES_DOUBLES) == 0)
        return value == 0 || value == 1;
    return !isinf(value);
}

/* Refuses values that no measurement gives. */
static int check_values(const char *folder, const struct samples *samples) {
    const size_t count = samples->blocks * samples->column_count;
    const struct name name = name_of(samples, ".f32");
    for (size_t i = 0; i < count; i++) {
        const char *column = samples->columns[i % samples->column_count];
        if (!is_possible(column, samples->values[i]))
            return error("%s: %s: block %zu: '%s' cannot be %g; time the unit again", folder,
                         name.text, i / samples->column_count, column, samples->values[i]);
    }
    return 0;
}

static int write_values(const char *folder, const struct samples *samples) {
    const size_t count = samples->blocks * samples->column_count;
    const struct name name = name_of(samples, ".f32");
    struct file file;
    if (check_values(folder, samples) < 0)
        return -1;
    if (file_open(&file, folder, name.text) < 0)
        return -1;
    fwrite(samples->values, sizeof *samples->values, count, file.stream);
    return file_commit(&file);
}

/* The entry in samples.json; NULL when a name is no UTF-8, a number infinite or memory short. */
static json_t *describe_samples(const struct samples *samples) {
    const size_t size = samples->blocks * samples->column_count * sizeof *samples->values;
    json_t *columns = json_array();
    char hex[33];
    hash_bytes(samples->values, size, hex);
    for (size_t i = 0; i < samples->column_count; i++)
        if (json_array_append_new(columns, json_string(samples->columns[i])) < 0) {
            json_decref(columns);
            return NULL;
        }
    return json_pack("{s:s, s:o, s:I, s:I, s:o, s:s}", "place", words_places[samples->place],
                     "columns", columns, "blocks", (json_int_t)samples->blocks, "calls",
                     (json_int_t)samples->calls, "planted_seconds",
                     isnan(samples->planted_seconds) ? json_null()
                                                     : json_real(samples->planted_seconds),
                     "xxh128", hex);
}

/* Adds what samples.json says of the samples. */
static int add_entry(const char *folder, const struct samples *samples, json_t *index) {
    const struct name name = name_of(samples, "");
    json_t *entry = describe_samples(samples);
    if (json_object_get(index, name.text)) {
        json_decref(entry);
        return error("%s: two samples are called %s", folder, name.text);
    }
    return json_object_set_new(index, name.text, entry) < 0
               ? error("%s: %s: cannot be put into JSON", folder, name.text)
               : 0;
}

int samples_write(const char *folder, const struct samples *list, size_t count) {
    json_t *index = json_object();
    int status = 0;
    for (size_t i = 0; i < count && status == 0; i++)
        status = check(folder, &list[i]) < 0 || write_values(folder, &list[i]) < 0
                     ? -1
                     : add_entry(folder, &list[i], index);
    if (status == 0)
        status = jsonfile_write(folder, INDEX, index);
    json_decref(index);
    return status;
}

/* The index of a folder, or NULL where it has no samples. 0, or -1 after error(). */
static int read_index(const char *folder, json_t **index) {
    char path[PATH_MAX];
    *index = NULL;
    if (files_join(path, folder, INDEX) < 0)
        return -1;
    if (access(path, F_OK) < 0 && errno == ENOENT)
        return 0;
    *index = jsonfile_read(folder, INDEX, "a run directory");
    return !*index ? -1 : json_is_object(*index) ? 0 : error("%s: is no object", path);
}

/* Reads the values that the rest of *samples describes. */
static int read_values(const char *folder, struct samples *samples, const char *hash) {
    const struct name name = name_of(samples, ".f32");
    const size_t block = samples->column_count * sizeof *samples->values;
    char path[PATH_MAX], hex[33];
    struct stat is;
    if (files_join(path, folder, name.text) < 0)
        return -1;
    FILE *in = files_open(path, SIZE_MAX);
    if (!in || fstat(fileno(in), &is) < 0) {
        int cause = errno;
        if (in)
            fclose(in);
        return error("%s: cannot read: %s", path, files_explain(cause));
    }
    const size_t size = (size_t)is.st_size;
    int status = 0;
    if (size % block != 0 || size / block != samples->blocks)
        status = error("%s: holds %zu bytes where " INDEX " says %zu blocks of %zu; get the whole "
                       "file, or time the unit again",
                       path, size, samples->blocks, block);
    else if (fread(samples->values = need(size, 1), 1, size, in) != size)
        status = error("%s: cannot read %zu bytes: %s", path, size, strerror(errno));
    fclose(in);
    if (status < 0)
        return -1;
    hash_bytes(samples->values, size, hex);
    return strcmp(hex, hash) == 0
               ? check_values(folder, samples)
               : error("%s: was changed: its XXH128 is %s where " INDEX " says %s; get the file as "
                       "it was, or time the unit again",
                       path, hex, hash);
}

/* The length of the name without what says that it is of an earlier release. */
static size_t length_of(const char *name) {
    const size_t length = strlen(name), end = sizeof PREVIOUS - 1;
    return length > end && strcmp(name + length - end, PREVIOUS) == 0 ? length - end : length;
}

/* Into the empty *samples, whose name is "MODE.LENS" or "MODE.LENS.previous". */
static int read_entry(const char *folder, const char *name, json_t *entry,
                      struct samples *samples) {
    const size_t mode = strcspn(name, "."), length = length_of(name);
    json_int_t blocks, calls;
    json_t *columns, *planted, *column;
    const char *hash, *place;
    json_error_t wrong;
    size_t i;
    if (json_unpack_ex(entry, &wrong, JSON_STRICT, "{s:s, s:o, s:I, s:I, s:o, s:s}", "place",
                       &place, "columns", &columns, "blocks", &blocks, "calls", &calls,
                       "planted_seconds", &planted, "xxh128", &hash) < 0)
        return error("%s/" INDEX ": %s: %s", folder, name, wrong.text);
    if (mode >= length || mode >= RUNDIR_NAME || length - mode > RUNDIR_NAME)
        return error("%s/" INDEX ": '%s' is no MODE.LENS", folder, name);
    if (blocks < 0 || calls < 1)
        return error("%s/" INDEX ": %s: a count below 0, or no call a sample", folder, name);
    if (words_find(words_places, place) < 0)
        return error("%s/" INDEX ": %s: '%.60s' is no place where times are taken", folder, name,
                     place);
    if (!json_is_null(planted) && !json_is_number(planted))
        return error("%s/" INDEX ": %s: planted_seconds is no number", folder, name);
    if (!json_is_array(columns) || json_array_size(columns) > SAMPLES_COLUMNS)
        return error("%s/" INDEX ": %s: columns is no array of at most %d names", folder, name,
                     SAMPLES_COLUMNS);
    json_array_foreach(columns, i, column) {
        if (!json_is_string(column) || json_string_length(column) >= RUNDIR_NAME)
            return error("%s/" INDEX ": %s: columns[%zu] is no name of at most %d bytes", folder,
                         name, i, RUNDIR_NAME - 1);
        strcpy(samples->columns[i], json_string_value(column));
    }
    memcpy(samples->mode, name, mode);
    memcpy(samples->lens, name + mode + 1, length - mode - 1);
    samples->place = (enum place)words_find(words_places, place);
    samples->column_count = json_array_size(columns);
    samples->blocks = (size_t)blocks;
    samples->calls = (uint64_t)calls;
    samples->planted_seconds = json_is_null(planted) ? NAN : json_number_value(planted);
    if (samples_of_previous(samples) != (length < strlen(name)))
        return error("%s/" INDEX ": %s: the columns are of another kernel's process", folder, name);
    return check(folder, samples) < 0 ? -1 : read_values(folder, samples, hash);
}

int samples_read(const char *folder, struct samples **list, size_t *count) {
    const char *name;
    json_t *entry, *index;
    *list = NULL;
    *count = 0;
    int status = read_index(folder, &index);
    if (status == 0 && index) {
        *list = need(json_object_size(index), sizeof **list);
        json_object_foreach(index, name, entry) {
            status = read_entry(folder, name, entry, &(*list)[(*count)++]);
            if (status < 0)
                break;
        }
    }
    json_decref(index);
    if (status < 0) {
        samples_free(*list, *count);
        *list = NULL;
        *count = 0;
    }
    return status;
}

void samples_free(struct samples *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        free(list[i].values);
    free(list);
}
