#include "reports/gate/gate_policy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/inifile.h"
#include "bench/base/need.h"

/* What one file is read into. */
struct known_list {
    struct gate_known *known;
    size_t count;
};

static bool is_date(const char *text) {
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    static const char form[] = "dddd-dd-dd";
    if (strlen(text) != sizeof form - 1)
        return false;
    for (size_t i = 0; form[i]; i++)
        if (form[i] == 'd' ? text[i] < '0' || text[i] > '9' : text[i] != form[i])
            return false;
    int year = atoi(text), month = atoi(text + 5), day = atoi(text + 8);
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return month >= 1 && month <= 12 && day >= 1 &&
           day <= days[month - 1] + (month == 2 && leap ? 1 : 0);
}

static bool take_expires(struct inifile *file, const char *value, void *into) {
    struct gate_known *known = into;
    return is_date(value)
               ? inifile_text(file, value, known->expires, sizeof known->expires)
               : inifile_refuse(file, "'%.60s' is not a day of the calendar, YYYY-MM-DD", value);
}

#define OF(field) INIFILE_FIELD(struct gate_known, field)
static const struct inifile_row rows[] = {
    {"limit", INIFILE_SHARE, OF(limit), .least = 0.01, .most = 1000},
    {"reason", INIFILE_TEXT, OF(reason)},
    {"link", INIFILE_TEXT, OF(link)},
    {"expires", .take = take_expires},
    {NULL}};

/* Sizes have one spelling, so that equal patterns are equal texts. */
static bool is_pattern(const char *text) {
    for (int i = 0; i < 3; i++) {
        if (i > 0 && *text++ != 'x')
            return false;
        size_t digits = strspn(text, "0123456789");
        if (digits > 7 || (digits > 0 && (*text == '0' || atol(text) > SHAPE_MAX_SIZE)) ||
            (digits == 0 && *text != '*'))
            return false;
        text += digits > 0 ? digits : 1;
    }
    return !*text || (*text == '.' && text[1]);
}

static bool begin_known(struct inifile *file, const char *section) {
    struct known_list *list = file->target;
    if (!is_pattern(section) || strlen(section) >= GATE_NAME)
        return inifile_refuse(
            file,
            "[%.70s] is not [MxNxK] or [MxNxK.LABEL] in at most %d bytes, each part a "
            "size or *",
            section, GATE_NAME - 1);
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->known[i].pattern, section) == 0)
            return inifile_refuse(file, "[%s] is there already, at line %d", section,
                                  list->known[i].line);
    list->known = need_more(list->known, list->count, sizeof *list->known);
    struct gate_known *known = &list->known[list->count++];
    *known = (struct gate_known){.line = file->line};
    strcpy(known->pattern, section);
    file->rows = rows;
    file->into = known;
    return true;
}

int gate_known_read(const char *path, struct gate_known **known, size_t *count) {
    struct known_list list = {0};
    struct inifile file = {.what = "a policy", .target = &list, .begin = begin_known};
    const int status = inifile_read(&file, path);
    *known = list.known;
    *count = list.count;
    if (status < 0)
        return -1;
    for (size_t i = 0; i < list.count; i++) {
        const struct gate_known *one = &list.known[i];
        const char *missing = one->limit == 0  ? "limit"
                              : !*one->reason  ? "reason"
                              : !*one->link    ? "link"
                              : !*one->expires ? "expires"
                                               : NULL;
        if (missing)
            return error("%s:%d: [%s] has no %s; a known regression has limit, reason, link and "
                         "expires",
                         path, one->line, one->pattern, missing);
    }
    return 0;
}

bool gate_known_expired(const struct gate_known *known, const char *today) {
    return strcmp(today, known->expires) > 0;
}

bool gate_known_matches(const struct gate_known *known, struct shape shape, const char *candidate) {
    const int64_t sizes[] = {shape.m, shape.n, shape.k};
    const char *part = known->pattern;
    for (int i = 0; i < 3; i++) {
        if (*part != '*' && atoll(part) != sizes[i])
            return false;
        part += strcspn(part, i < 2 ? "x" : ".");
        part += *part != 0;
    }
    return !*part || strcmp(part, candidate) == 0;
}
