#include "bench/base/inifile.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <ini.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/text.h"
#include "bench/base/utf8.h"
#include "bench/base/words.h"

bool inifile_refuse(struct inifile *file, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(file->why, sizeof file->why, format, args);
    va_end(args);
    file->refused = file->line;
    return false;
}

/* A section that inih would cut or whose end it would not see: it tells of sections only with their
 * first key, and drops what stands behind the bracket. */
static bool begin_section(struct inifile *file, const char *text) {
    char section[1024];
    const char *end = strchr(text, ']');
    if (!end)
        return true; /* inih says so */
    const char *rest = end + 1 + strspn(end + 1, " \t");
    if (*rest && *rest != ';')
        return inifile_refuse(file, "'%.60s' stands behind a section's name; give it its own line",
                              rest);
    snprintf(section, sizeof section, "%.*s", (int)(end - text - 1), text + 1);
    snprintf(file->section, sizeof file->section, "%.60s", section);
    file->rows = NULL;
    const bool begun = file->begin(file, section);
    file->said = 0;
    return begun;
}

/* inih would cut a long line in two or drop its rest, and a line at a NUL, and takes an indented
 * one for more of the value above. */
static bool check_line(struct inifile *file, char *line, size_t length) {
    if (length > 0 && line[length - 1] == '\r')
        line[--length] = 0;
    if (strlen(line) != length || !utf8_is_plain(line))
        return inifile_refuse(file, "holds bytes that are no UTF-8 text; %s is an INI file",
                              file->what);
    if (file->line == 1 && strncmp(line, "\357\273\277", 3) == 0)
        line += 3;
    if ((*line == ' ' || *line == '\t') && !strchr(";#", line[strspn(line, " \t")]))
        return inifile_refuse(file, "begins with a blank; take it away (no value has two lines)");
    return *line != '[' || begin_section(file, line);
}

/* With its end: inih 59 takes a full buffer without one for a line that is cut, and reads on. */
static char *next_line(char *line, int size, void *context) {
    struct inifile *file = context;
    int length = 0, c;
    if (file->refused)
        return NULL;
    file->line++;
    while ((c = getc(file->in)) != EOF && c != '\n') {
        if (length == size - 2) {
            inifile_refuse(file, "is longer than the %d bytes that are read of a line; %s",
                           size - 2, file->split ? file->split : "shorten it");
            return NULL;
        }
        line[length++] = (char)c;
    }
    line[length] = 0;
    return (c == EOF && length == 0) || !check_line(file, line, (size_t)length)
               ? NULL
               : strcat(line, "\n");
}

static bool take_number(struct inifile *file, const char *value, double least, double most,
                        double *number) {
    const char *end = text_number(value, number);
    if (!end || *end || *number < least || *number > most)
        return inifile_refuse(file, "'%.60s' is not a number from %.15g to %.15g", value, least,
                              most);
    return true;
}

/* The sign is wanted, so that nobody takes 0.02 for two per cent or for two hundredths of one. */
bool inifile_share(struct inifile *file, const char *value, double least, double most,
                   double *share) {
    double percent;
    const char *end = text_number(value, &percent);
    if (!end || strcmp(end + strspn(end, " \t"), "%") != 0)
        return inifile_refuse(file, "'%.60s' is not a share in per cent with its sign, like 2 %%",
                              value);
    if (percent < least || percent > most)
        return inifile_refuse(file, "%.60s is not from %g %% to %g %%", value, least, most);
    *share = percent / 100;
    return true;
}

bool inifile_text(struct inifile *file, const char *value, char *text, size_t size) {
    if (!*value)
        return inifile_refuse(file, "has no value");
    if (strlen(value) >= size)
        return inifile_refuse(file, "'%.60s...' is longer than %zu bytes", value, size - 1);
    strcpy(text, value);
    return true;
}

bool inifile_name(struct inifile *file, const char *value, char *name, size_t size) {
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    if (!*value || value[strspn(value, letters)])
        return inifile_refuse(file, "'%.60s' is no name; it has letters, digits, - _ . only",
                              value);
    return inifile_text(file, value, name, size);
}

/* Its index, or -1. */
static int find_word(struct inifile *file, const char *value, const char *const words[]) {
    char all[sizeof file->why - 80];
    const int index = words_find(words, value);
    if (index < 0)
        inifile_refuse(file, "'%.60s' is not %s", value, words_list(words, all, sizeof all));
    return index;
}

/* Into a bool, an int or enum, or a size_t. */
static void put_whole(void *field, size_t size, double number) {
    if (size == sizeof(bool))
        *(bool *)field = number != 0;
    else if (size == sizeof(int))
        *(int *)field = (int)number;
    else
        *(size_t *)field = (size_t)number;
}

static size_t take_whole(const void *field, size_t size) {
    return size == sizeof(bool)  ? *(const bool *)field
           : size == sizeof(int) ? (size_t) * (const int *)field
                                 : *(const size_t *)field;
}

const char *inifile_say(const struct inifile_row *row, const void *from, char *text, size_t size) {
    const void *field = (const char *)from + row->offset;
    *text = 0;
    switch (row->type) {
    case INIFILE_OTHER:
        break;
    case INIFILE_SHARE:
        snprintf(text, size, "%.6g %%", 100 * *(const double *)field);
        break;
    case INIFILE_NUMBER:
        snprintf(text, size, "%.6g", *(const double *)field);
        break;
    case INIFILE_WHOLE:
        snprintf(text, size, "%zu", take_whole(field, row->size));
        break;
    case INIFILE_WORD:
        snprintf(text, size, "%s", row->words[take_whole(field, row->size)]);
        break;
    default:
        snprintf(text, size, "%s", (const char *)field);
    }
    return text;
}

static bool put_value(struct inifile *file, const struct inifile_row *row, const char *value) {
    char *field = (char *)file->into + row->offset;
    double number = 0;
    int word = 0;
    switch (row->type) {
    case INIFILE_OTHER:
        return row->take(file, value, field);
    case INIFILE_SHARE:
        return inifile_share(file, value, row->least, row->most, (double *)field);
    case INIFILE_NUMBER:
        return take_number(file, value, row->least, row->most, (double *)field);
    case INIFILE_WHOLE:
        if (!take_number(file, value, row->least, row->most, &number))
            return false;
        if (number != floor(number))
            return inifile_refuse(file, "'%.60s' is no whole number of %s", value, row->of);
        put_whole(field, row->size, number);
        return true;
    case INIFILE_WORD:
        word = find_word(file, value, row->words);
        if (word < 0)
            return false;
        put_whole(field, row->size, word);
        return true;
    case INIFILE_SPELLING:
        word = find_word(file, value, row->words);
        return word >= 0 && strcpy(field, row->words[word]);
    }
    return false;
}

static bool refuse_key(struct inifile *file, const char *name) {
    char all[sizeof file->why - 160] = "";
    for (const struct inifile_row *row = file->rows; row->key; row++)
        text_append(all, sizeof all, "%s%s", *all ? ", " : "", row->key);
    return inifile_refuse(file, "'%.60s' is no key of [%s], which has %s", name, file->section,
                          all);
}

static bool take_by_rows(struct inifile *file, const char *name, const char *value) {
    const struct inifile_row *row = file->rows;
    while (row->key && strcmp(row->key, name) != 0)
        row++;
    if (!row->key)
        return refuse_key(file, name);
    const uint64_t bit = UINT64_C(1) << (row - file->rows);
    if (file->said & bit && !row->again)
        return inifile_refuse(file, "%s is said already; remove one", name);
    file->said |= bit;
    if (put_value(file, row, value))
        return true;
    return !file->refused &&
           inifile_refuse(file, "%s is '%.60s', and %s is wanted", name, value, row->wanted);
}

static int take_value(void *context, const char *section, const char *name, const char *value) {
    (void)section; /* which inih may have cut */
    struct inifile *file = context;
    return file->rows   ? take_by_rows(file, name, value)
           : file->take ? file->take(file, name, value)
                        : inifile_refuse(file, "'%.60s' stands before any [section]", name);
}

int inifile_read(struct inifile *file, const char *path) {
    file->in = files_open(path, FILES_MOST_TEXT);
    if (!file->in)
        return error("%s: %s: it cannot be read; %s is an INI file", path, files_explain(errno),
                     file->what);
    int line = ini_parse_stream(next_line, file, take_value, file);
    bool unread = ferror(file->in) != 0; /* to inih that is an empty file */
    fclose(file->in);
    if (unread)
        return error("%s: cannot be read; %s is an INI file", path, file->what);
    if (line < 0)
        return error("%s: no memory to read it", path);
    if (line > 0 && line != file->refused)
        return error("%s:%d: neither [section] nor key = value", path, line);
    return file->refused ? error("%s:%d: %s", path, file->refused, file->why) : 0;
}
