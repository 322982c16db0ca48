#include "reports/gate/policy.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ini.h>
#include <jansson.h>

#include "bench/error.h"
#include "reports/files.h"
#include "reports/gate/levels.h"

static const struct gate_class default_classes[] = {
    {"small", 0x1p27, 0.02}, {"medium", 0x1p33, 0.02}, {"large", INFINITY, 0.02}};
enum { DEFAULT_CLASSES = sizeof default_classes / sizeof *default_classes };

struct placed_class {
    struct gate_class class; /* margin 0, largest INFINITY: not said */
    int line;
};

/* Of one file. */
struct reading {
    struct gate_policy *policy;
    FILE *in;
    int line;    /* read last */
    int refused; /* the first line that was refused with a reason; 0: none */
    char why[320];
    bool (*begin)(struct reading *reading, const char *section);
    bool (*take)(struct reading *reading, const char *name, const char *value); /* in a section */
    unsigned said; /* of the section's keys, a bit each */
    bool gate_said, must_said;
    struct placed_class classes[GATE_CLASSES];
    size_t class_count;
    int must_line[GATE_MUST];
};

__attribute__((format(printf, 2, 3))) static bool refuse(struct reading *reading,
                                                         const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(reading->why, sizeof reading->why, format, args);
    va_end(args);
    reading->refused = reading->line;
    return false;
}

/* A section that inih would cut or whose end it would not see: it tells of sections only with their
 * first key, and drops what stands behind the bracket. */
static bool begin(struct reading *reading, const char *text) {
    char section[1024];
    const char *end = strchr(text, ']');
    if (!end)
        return true; /* inih says so */
    const char *rest = end + 1 + strspn(end + 1, " \t");
    if (*rest && *rest != ';')
        return refuse(reading, "'%.60s' stands behind a section's name; give it its own line",
                      rest);
    snprintf(section, sizeof section, "%.*s", (int)(end - text - 1), text + 1);
    reading->said = 0;
    return reading->begin(reading, section);
}

static bool is_text(const char *line) {
    for (const char *c = line; *c; c++)
        if (((unsigned char)*c < ' ' && *c != '\t') || *c == 0x7f)
            return false;
    json_t *string = json_string(line); /* NULL unless it is UTF-8 */
    json_decref(string);
    return string != NULL;
}

/* inih would cut a long line in two, and a line at a NUL, and takes an indented one for more of the
 * value above. */
static bool check_line(struct reading *reading, char *line, size_t length) {
    if (length > 0 && line[length - 1] == '\r')
        line[--length] = 0;
    if (strlen(line) != length || !is_text(line))
        return refuse(reading, "holds bytes that are no UTF-8 text; a policy is an INI file");
    if (reading->line == 1 && strncmp(line, "\357\273\277", 3) == 0)
        line += 3;
    if ((*line == ' ' || *line == '\t') && !strchr(";#", line[strspn(line, " \t")]))
        return refuse(reading, "begins with a blank; take it away (no value has two lines)");
    return *line != '[' || begin(reading, line);
}

static char *next_line(char *line, int size, void *context) {
    struct reading *reading = context;
    int length = 0, c;
    if (reading->refused)
        return NULL;
    reading->line++;
    while ((c = getc(reading->in)) != EOF && c != '\n') {
        if (length == size - 1) {
            refuse(reading, "is longer than the %d bytes that are read of a line; shorten it",
                   size - 1);
            return NULL;
        }
        line[length++] = (char)c;
    }
    line[length] = 0;
    return (c == EOF && length == 0) || !check_line(reading, line, (size_t)length) ? NULL : line;
}

static int take(void *context, const char *section, const char *name, const char *value) {
    (void)section; /* which inih may have cut */
    struct reading *reading = context;
    return reading->take(reading, name, value);
}

static int read_file(struct reading *reading, const char *file) {
    reading->in = fopen(file, "r");
    if (!reading->in)
        return error("%s: %s", file, strerror(errno));
    int line = ini_parse_stream(next_line, reading, take, reading);
    bool unread = ferror(reading->in) != 0; /* a folder, say: to inih that is an empty file */
    fclose(reading->in);
    if (unread)
        return error("%s: cannot be read; a policy is an INI file", file);
    if (line < 0)
        return error("%s: no memory to read it", file);
    if (line > 0 && line != reading->refused)
        return error("%s:%d: neither [section] nor key = value", file, line);
    return reading->refused ? error("%s:%d: %s", file, reading->refused, reading->why) : 0;
}

/* The key's index in the list, which ends in NULL, or -1 when it is refused. */
static int find_key(struct reading *reading, const char *const keys[], const char *name) {
    int key = 0;
    while (keys[key] && strcmp(keys[key], name) != 0)
        key++;
    if (!keys[key])
        refuse(reading, "'%.60s' is not a key of this section", name);
    else if (reading->said & 1u << key)
        refuse(reading, "%s is said already; remove one", name);
    reading->said |= 1u << key;
    return reading->refused ? -1 : key;
}

/* Returns what stands behind the number, or NULL when there is none. */
static const char *parse_number(const char *text, double *number) {
    char *end;
    if (!strchr(".0123456789", *text) || !*text)
        return NULL;
    size_t digits = strspn(text, ".0123456789eE+-"); /* strtod alone would take hexadecimal */
    *number = strtod(text, &end);
    return end == text + digits && isfinite(*number) ? end : NULL;
}

static bool take_number(struct reading *reading, const char *value, double least, double most,
                        double *number) {
    const char *end = parse_number(value, number);
    if (!end || *end || *number < least || *number > most)
        return refuse(reading, "'%.60s' is not a number from %.15g to %.15g", value, least, most);
    return true;
}

static bool take_rounds(struct reading *reading, const char *value, int *rounds) {
    double number = 0;
    if (!take_number(reading, value, 2, LEVELS_ROUNDS, &number))
        return false;
    *rounds = (int)number;
    return *rounds == number || refuse(reading, "'%.60s' is no whole number of rounds", value);
}

/* The sign is wanted, so that nobody takes 0.02 for two per cent or for two hundredths of one. */
static bool take_share(struct reading *reading, const char *value, double least, double most,
                       double *share) {
    double percent;
    const char *end = parse_number(value, &percent);
    if (!end || strcmp(end + strspn(end, " \t"), "%") != 0)
        return refuse(reading, "'%.60s' is not a share in per cent with its sign, like 2 %%",
                      value);
    if (percent < least || percent > most)
        return refuse(reading, "%.60s is not from %g %% to %g %%", value, least, most);
    *share = percent / 100;
    return true;
}

static bool take_text(struct reading *reading, const char *value, char *text, size_t size) {
    if (!*value)
        return refuse(reading, "has no value");
    if (strlen(value) >= size)
        return refuse(reading, "'%.60s...' is longer than %zu bytes", value, size - 1);
    strcpy(text, value);
    return true;
}

static bool take_name(struct reading *reading, const char *value, char name[GATE_NAME]) {
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    if (!*value || value[strspn(value, letters)])
        return refuse(reading, "'%.60s' is no name; it has letters, digits, - _ . only", value);
    return take_text(reading, value, name, GATE_NAME);
}

static bool take_undecided(struct reading *reading, const char *value,
                           enum gate_undecided *undecided) {
    static const char *const words[] = {"pass", "warn", "fail"};
    for (int i = 0; i < 3; i++)
        if (strcmp(value, words[i]) == 0) {
            *undecided = (enum gate_undecided)i;
            return true;
        }
    return refuse(reading, "'%.60s' is not pass, warn or fail", value);
}

static bool take_lens(struct reading *reading, const char *value, char lens[GATE_NAME]) {
    static const char *const words[] = {"call", "device", "stream", "latency"};
    for (int i = 0; i < 4; i++)
        if (strcmp(value, words[i]) == 0)
            return take_text(reading, value, lens, GATE_NAME);
    return refuse(reading, "'%.60s' is not call, device, stream or latency", value);
}

static bool take_gate(struct reading *reading, const char *name, const char *value) {
    enum { MARGIN, ALPHA, SCREENING, CONFIRM, COVERAGE, DISTURBED, LENS, MERGE, RELEASE, KNOWN };
    static const char *const keys[] = {[MARGIN] = "margin",
                                       [ALPHA] = "alpha",
                                       [SCREENING] = "screening_rounds",
                                       [CONFIRM] = "confirm_rounds",
                                       [COVERAGE] = "coverage",
                                       [DISTURBED] = "disturbed",
                                       [LENS] = "lens",
                                       [MERGE] = "on_merge",
                                       [RELEASE] = "on_release",
                                       [KNOWN] = "known",
                                       NULL};
    struct gate_policy *policy = reading->policy;
    switch (find_key(reading, keys, name)) {
    case MARGIN:
        return take_share(reading, value, 0.01, 100, &policy->margin);
    case ALPHA:
        return take_number(reading, value, 1e-6, 0.5, &policy->alpha);
    case SCREENING:
        return take_rounds(reading, value, &policy->screening_rounds);
    case CONFIRM:
        return take_rounds(reading, value, &policy->confirm_rounds);
    case COVERAGE:
        return take_share(reading, value, 0, 100, &policy->coverage);
    case DISTURBED:
        return take_share(reading, value, 0, 100, &policy->disturbed);
    case LENS:
        return take_lens(reading, value, policy->lens);
    case MERGE:
        return take_undecided(reading, value, &policy->on_merge);
    case RELEASE:
        return take_undecided(reading, value, &policy->on_release);
    case KNOWN:
        return take_text(reading, value, policy->known_file, sizeof policy->known_file);
    default:
        return false;
    }
}

static bool take_class(struct reading *reading, const char *name, const char *value) {
    static const char *const keys[] = {"largest", "margin", NULL};
    struct gate_class *class = &reading->classes[reading->class_count - 1].class;
    switch (find_key(reading, keys, name)) {
    case 0:
        return take_number(reading, value, 1, 0x1p60, &class->largest);
    case 1:
        return take_share(reading, value, 0.01, 100, &class->margin);
    default:
        return false;
    }
}

static bool begin_class(struct reading *reading, const char *name) {
    struct placed_class *placed = &reading->classes[reading->class_count];
    if (reading->class_count == GATE_CLASSES)
        return refuse(reading, "is one size class too many; at most %d are read", GATE_CLASSES);
    *placed = (struct placed_class){{.largest = INFINITY}, reading->line};
    if (!take_name(reading, name, placed->class.name))
        return false;
    if (strcmp(name, "all") == 0)
        return refuse(reading, "a size class cannot be called all: [gate.must] means every one");
    for (size_t i = 0; i < reading->class_count; i++)
        if (strcmp(reading->classes[i].class.name, name) == 0)
            return refuse(reading, "the size class %s is there already, at line %d", name,
                          reading->classes[i].line);
    reading->class_count++;
    reading->take = take_class;
    return true;
}

static bool add_must(struct reading *reading, const char *baseline, const char *size_class) {
    struct gate_policy *policy = reading->policy;
    if (policy->must_count == GATE_MUST)
        return refuse(reading, "is one baseline and class too many; at most %d are read",
                      GATE_MUST);
    for (size_t i = 0; i < policy->must_count; i++)
        if (strcmp(policy->must[i].baseline, baseline) == 0 &&
            strcmp(policy->must[i].size_class, size_class) == 0)
            return refuse(reading, "%s is said already; remove one", size_class);
    struct gate_must *must = &policy->must[policy->must_count];
    reading->must_line[policy->must_count] = reading->line;
    snprintf(must->baseline, sizeof must->baseline, "%s", baseline);
    snprintf(must->size_class, sizeof must->size_class, "%s", size_class);
    policy->must_count++;
    return true;
}

static bool take_must(struct reading *reading, const char *name, const char *value) {
    char baseline[GATE_NAME], word[GATE_NAME];
    if (!take_name(reading, name, baseline))
        return false;
    for (size_t i = 0; i < reading->policy->must_count; i++)
        if (strcmp(reading->policy->must[i].baseline, baseline) == 0)
            return refuse(reading, "%s is said already; remove one", baseline);
    if (strcmp(value, "all") == 0)
        return add_must(reading, baseline, "");
    if (!*value)
        return refuse(reading, "%s needs the size classes that must beat it, or all", baseline);
    for (const char *next = value; *next; next += strspn(next, " \t")) {
        size_t length = strcspn(next, " \t");
        if (length >= sizeof word)
            return refuse(reading, "'%.60s...' is no size class of this policy", next);
        snprintf(word, sizeof word, "%.*s", (int)length, next);
        if (!add_must(reading, baseline, word))
            return false;
        next += length;
    }
    return true;
}

static bool take_nothing(struct reading *reading, const char *name, const char *value) {
    (void)value;
    return refuse(reading, "'%.60s' stands before any [section]", name);
}

static bool pass_over(struct reading *reading, const char *name, const char *value) {
    (void)reading, (void)name, (void)value;
    return true;
}

static bool begin_policy(struct reading *reading, const char *section) {
    static const char class_prefix[] = "gate.class.";
    bool *said = NULL;
    if (strncmp(section, class_prefix, sizeof class_prefix - 1) == 0)
        return begin_class(reading, section + sizeof class_prefix - 1);
    if (strcmp(section, "gate") == 0) {
        reading->take = take_gate;
        said = &reading->gate_said;
    } else if (strcmp(section, "gate.must") == 0) {
        reading->take = take_must;
        said = &reading->must_said;
    } else if (strcmp(section, "findings") == 0) {
        reading->take = pass_over; /* correctness/policy.c's */
        return true;
    } else {
        return refuse(reading,
                      "[%.60s] is not a section of a policy, which are [findings], [gate], "
                      "[gate.class.NAME] and [gate.must]",
                      section);
    }
    if (*said)
        return refuse(reading, "[%s] is there already; make one of both", section);
    *said = true;
    return true;
}

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

static bool take_known(struct reading *reading, const char *name, const char *value) {
    static const char *const keys[] = {"limit", "reason", "link", "expires", NULL};
    struct gate_known *known = &reading->policy->known[reading->policy->known_count - 1];
    switch (find_key(reading, keys, name)) {
    case 0:
        return take_share(reading, value, 0.01, 1000, &known->limit);
    case 1:
        return take_text(reading, value, known->reason, sizeof known->reason);
    case 2:
        return take_text(reading, value, known->link, sizeof known->link);
    case 3:
        if (!is_date(value))
            return refuse(reading, "'%.60s' is not a day of the calendar, YYYY-MM-DD", value);
        return take_text(reading, value, known->expires, sizeof known->expires);
    default:
        return false;
    }
}

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

static bool begin_known(struct reading *reading, const char *section) {
    struct gate_policy *policy = reading->policy;
    if (!is_pattern(section) || strlen(section) >= GATE_NAME)
        return refuse(reading,
                      "[%.70s] is not [MxNxK] or [MxNxK.LABEL] in at most %d bytes, each part a "
                      "size or *",
                      section, GATE_NAME - 1);
    for (size_t i = 0; i < policy->known_count; i++)
        if (strcmp(policy->known[i].pattern, section) == 0)
            return refuse(reading, "[%s] is there already, at line %d", section,
                          policy->known[i].line);
    struct gate_known *more =
        realloc(policy->known, (policy->known_count + 1) * sizeof *policy->known);
    if (!more)
        return refuse(reading, "no memory for another known regression");
    policy->known = more;
    more[policy->known_count] = (struct gate_known){.line = reading->line};
    snprintf(more[policy->known_count++].pattern, GATE_NAME, "%s", section);
    reading->take = take_known;
    return true;
}

static int read_known(struct gate_policy *policy) {
    struct reading reading = {.policy = policy, .begin = begin_known, .take = take_nothing};
    if (read_file(&reading, policy->known_file) < 0)
        return -1;
    for (size_t i = 0; i < policy->known_count; i++) {
        const struct gate_known *known = &policy->known[i];
        const char *missing = known->limit == 0  ? "limit"
                              : !*known->reason  ? "reason"
                              : !*known->link    ? "link"
                              : !*known->expires ? "expires"
                                                 : NULL;
        if (missing)
            return error("%s:%d: [%s] has no %s; a known regression has limit, reason, link and "
                         "expires",
                         policy->known_file, known->line, known->pattern, missing);
    }
    return 0;
}

static int by_largest(const void *left, const void *right) {
    const struct placed_class *a = left, *b = right;
    if (a->class.largest == b->class.largest)
        return a->line - b->line;
    return a->class.largest < b->class.largest ? -1 : 1;
}

/* Puts the file's classes, if it has any, in the place of the default ones. */
static int place_classes(struct reading *reading, const char *file) {
    struct gate_policy *policy = reading->policy;
    struct placed_class *placed = reading->classes;
    const size_t count = reading->class_count;
    qsort(placed, count, sizeof *placed, by_largest);
    for (size_t i = 1; i < count; i++)
        if (placed[i].class.largest == placed[i - 1].class.largest)
            return error("%s:%d: the size class %s %s as %s does at line %d", file, placed[i].line,
                         placed[i].class.name,
                         isinf(placed[i].class.largest) ? "has no `largest`, just"
                                                        : "has the same `largest`",
                         placed[i - 1].class.name, placed[i - 1].line);
    if (count > 0 && isfinite(placed[count - 1].class.largest))
        return error("%s:%d: the size class %s has a `largest`; leave it out in the last, so that "
                     "every shape has a class",
                     file, placed[count - 1].line, placed[count - 1].class.name);
    for (size_t i = 0; i < count; i++)
        policy->classes[i] = placed[i].class;
    policy->class_count = count > 0 ? count : policy->class_count;
    for (size_t i = 0; i < policy->class_count; i++)
        if (count == 0 || policy->classes[i].margin == 0)
            policy->classes[i].margin = policy->margin;
    return 0;
}

static int check_must(const struct reading *reading, const char *file) {
    const struct gate_policy *policy = reading->policy;
    for (size_t i = 0; i < policy->must_count; i++) {
        const struct gate_must *must = &policy->must[i];
        size_t j = 0;
        while (*must->size_class && j < policy->class_count &&
               strcmp(must->size_class, policy->classes[j].name) != 0)
            j++;
        if (j == policy->class_count)
            return error("%s:%d: '%s' is no size class of this policy; name classes, or all alone",
                         file, reading->must_line[i], must->size_class);
    }
    return 0;
}

/* A relative name is meant from the policy's folder. */
static int place_known(struct gate_policy *policy, const char *file) {
    char folder[PATH_MAX], name[PATH_MAX];
    const char *slash = strrchr(file, '/');
    if (!slash || *policy->known_file == '/')
        return 0;
    snprintf(folder, sizeof folder, "%.*s", (int)(slash - file), file);
    snprintf(name, sizeof name, "%s", policy->known_file);
    return files_join(policy->known_file, folder, name);
}

void gate_policy_default(struct gate_policy *policy) {
    *policy = (struct gate_policy){.margin = 0.02,
                                   .alpha = 0.01,
                                   .screening_rounds = 4,
                                   .confirm_rounds = 12,
                                   .coverage = 1,
                                   .disturbed = 0.1,
                                   .on_merge = GATE_UNDECIDED_WARN,
                                   .on_release = GATE_UNDECIDED_FAIL,
                                   .class_count = DEFAULT_CLASSES};
    memcpy(policy->classes, default_classes, sizeof default_classes);
}

int gate_policy_read(const char *file, struct gate_policy *policy) {
    struct reading reading = {.policy = policy, .begin = begin_policy, .take = take_nothing};
    gate_policy_default(policy);
    if (!file)
        return 0;
    int status = read_file(&reading, file);
    if (status == 0)
        status = place_classes(&reading, file);
    if (status == 0)
        status = check_must(&reading, file);
    if (status == 0 && *policy->known_file)
        status = place_known(policy, file) < 0 ? -1 : read_known(policy);
    if (status < 0)
        gate_policy_free(policy);
    return status;
}

void gate_policy_free(struct gate_policy *policy) {
    free(policy->known);
    policy->known = NULL;
    policy->known_count = 0;
}

const struct gate_class *gate_policy_class(const struct gate_policy *policy, struct shape shape) {
    const double size = (double)shape.m * (double)shape.n * (double)shape.k;
    const struct gate_class *class = policy->classes;
    while (size > class->largest)
        class ++;
    return class;
}

bool gate_policy_must(const struct gate_policy *policy, const char *baseline,
                      const char *size_class) {
    for (size_t i = 0; i < policy->must_count; i++) {
        const struct gate_must *must = &policy->must[i];
        if (strcmp(must->baseline, baseline) == 0 &&
            (!*must->size_class || strcmp(must->size_class, size_class) == 0))
            return true;
    }
    return false;
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

const struct gate_known *gate_policy_known(const struct gate_policy *policy, struct shape shape,
                                           const char *candidate, const char *today) {
    const struct gate_known *widest = NULL;
    for (size_t i = 0; i < policy->known_count; i++) {
        const struct gate_known *known = &policy->known[i];
        if (gate_known_matches(known, shape, candidate) && !gate_known_expired(known, today) &&
            (!widest || known->limit > widest->limit))
            widest = known;
    }
    return widest;
}
