#include "reports/gate/gate_policy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/error.h"
#include "bench/base/inifile.h"
#include "bench/base/need.h"
#include "bench/base/renames.h"
#include "bench/base/text.h"
#include "bench/base/words.h"

/* Of one file. */
struct reading {
    struct gate_policy *policy;
    bool said[3]; /* sections */
};

static bool take_renamed(struct inifile *file, const char *value, void *policy) {
    struct renames renames;
    return renames_parse(value, &renames) < 0
               ? inifile_refuse(file, "is no list OLD=NEW,OLD=NEW... of kernels")
               : inifile_text(file, value, ((struct gate_policy *)policy)->renamed, GATE_RENAMED);
}

const char *const gate_undecided_words[] = {"pass", "warn", "fail", NULL};
static const char *const unrecorded_words[] = {"refuse", "allow", NULL};

#define OF(field) INIFILE_FIELD(struct gate_policy, field)
#define VISITS .least = 2, .most = GATE_VISITS_MOST, .of = "visits"
static const struct inifile_row gate_rows[] = {
    {"margin", INIFILE_SHARE, OF(margin), .least = 0.01, .most = 100},
    {"alpha", INIFILE_NUMBER, OF(alpha), .least = 1e-6, .most = 0.5},
    {"screening_visits", INIFILE_WHOLE, OF(screening_visits), VISITS},
    {"confirm_visits", INIFILE_WHOLE, OF(confirm_visits), VISITS},
    {"coverage", INIFILE_SHARE, OF(coverage), .most = 100},
    {"disturbed", INIFILE_SHARE, OF(disturbed), .most = 100},
    {"undecided", INIFILE_SHARE, OF(undecided), .most = 100},
    {"lens", INIFILE_SPELLING, OF(lens), .words = words_lenses},
    {"mode", INIFILE_SPELLING, OF(mode), .words = words_modes},
    {"on_merge", INIFILE_WORD, OF(on_merge), .words = gate_undecided_words},
    {"on_release", INIFILE_WORD, OF(on_release), .words = gate_undecided_words},
    {"unrecorded", INIFILE_WORD, OF(unrecorded_allowed), .words = unrecorded_words},
    {"renamed", .take = take_renamed},
    {NULL}};
#undef OF
#define OF(field) INIFILE_FIELD(struct gate_class, field)
static const struct inifile_row class_rows[] = {
    {"largest", INIFILE_NUMBER, OF(largest), .least = 1, .most = 0x1p60},
    {"margin", INIFILE_SHARE, OF(margin), .least = 0.01, .most = 100},
    {NULL}};

/* The number of the class of that name; -1: there is none. */
static int find_class(const struct gate_policy *policy, const char *name) {
    for (size_t i = 0; i < policy->class_count; i++)
        if (strcmp(policy->classes[i].name, name) == 0)
            return (int)i;
    return -1;
}

static bool begin_class(struct inifile *file, const char *name) {
    struct gate_policy *policy = ((struct reading *)file->target)->policy;
    if (policy->classes->line == 0) /* default ones give way */
        policy->class_count = 0;
    struct gate_class *class = &policy->classes[policy->class_count];
    if (policy->class_count == GATE_CLASSES)
        return inifile_refuse(file, "is one size class too many; at most %d are read",
                              GATE_CLASSES);
    *class = (struct gate_class){.largest = INFINITY, .line = file->line};
    if (!inifile_name(file, name, class->name, GATE_NAME))
        return false;
    if (strcmp(name, "all") == 0)
        return inifile_refuse(file,
                              "a size class cannot be called all: [gate.must] means every one");
    const int there = find_class(policy, name);
    if (there >= 0)
        return inifile_refuse(file, "the size class %s is there already, at line %d", name,
                              policy->classes[there].line);
    policy->class_count++;
    file->rows = class_rows;
    file->into = class;
    return true;
}

static bool take_must(struct inifile *file, const char *name, const char *value) {
    struct gate_policy *policy = ((struct reading *)file->target)->policy;
    struct gate_must must = {.line = file->line};
    if (!inifile_name(file, name, must.baseline, GATE_NAME))
        return false;
    for (size_t i = 0; i < policy->must_count; i++)
        if (strcmp(policy->must[i].baseline, name) == 0)
            return inifile_refuse(file, "%s is said already; remove one", name);
    if (policy->must_count == GATE_MUST)
        return inifile_refuse(file, "is one baseline too many; at most %d are read", GATE_MUST);
    if (!*value)
        return inifile_refuse(file, "%s needs the size classes that must beat it, or all", name);
    if (!inifile_text(file, value, must.words, sizeof must.words))
        return false;
    policy->must[policy->must_count++] = must;
    return true;
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

static bool take_known(struct inifile *file, const char *pattern, const char *limit) {
    struct gate_policy *policy = ((struct reading *)file->target)->policy;
    struct gate_known known = {.line = file->line};
    if (!is_pattern(pattern) || strlen(pattern) >= GATE_NAME)
        return inifile_refuse(
            file,
            "'%.70s' is not MxNxK or MxNxK.LABEL in at most %d bytes, each part a "
            "size or *",
            pattern, GATE_NAME - 1);
    for (size_t i = 0; i < policy->known_count; i++)
        if (strcmp(policy->known[i].pattern, pattern) == 0)
            return inifile_refuse(file, "%s is said already, at line %d", pattern,
                                  (int)policy->known[i].line);
    if (!inifile_share(file, limit, 0.01, 1000, &known.limit))
        return false;
    strcpy(known.pattern, pattern);
    policy->known = need_more(policy->known, policy->known_count, sizeof *policy->known);
    policy->known[policy->known_count++] = known;
    return true;
}

static bool begin_policy(struct inifile *file, const char *section) {
    struct reading *reading = file->target;
    static const char class_prefix[] = "gate.class.";
    static const char *const sections[] = {"gate", "gate.must", "gate.known", NULL};
    const int number = words_find(sections, section);
    file->into = reading->policy;
    if (strncmp(section, class_prefix, sizeof class_prefix - 1) == 0)
        return begin_class(file, section + sizeof class_prefix - 1);
    if (strcmp(section, "findings") == 0)
        return inifile_refuse(file,
                              "what is refused is fixed, and no policy changes it: take [findings] "
                              "out, and see \"What is refused\" in correctness/README.md");
    if (number < 0)
        return inifile_refuse(file,
                              "[%.60s] is not a section of a policy, which are [gate], "
                              "[gate.class.NAME], [gate.must] and [gate.known]",
                              section);
    if (reading->said[number])
        return inifile_refuse(file, "[%s] is there already; make one of both", section);
    reading->said[number] = true;
    file->rows = number == 0 ? gate_rows : NULL;
    file->take = number == 1 ? take_must : number == 2 ? take_known : NULL;
    return true;
}

static int by_largest(const void *left, const void *right) {
    const struct gate_class *a = left, *b = right;
    if (a->largest == b->largest)
        return a->line - b->line;
    return a->largest < b->largest ? -1 : 1;
}

/* Sorts the classes. One without a margin, and each default one, has the policy's. */
static int place_classes(struct gate_policy *policy, const char *file) {
    struct gate_class *classes = policy->classes, *last = &classes[policy->class_count - 1];
    qsort(classes, policy->class_count, sizeof *classes, by_largest);
    for (struct gate_class *class = classes; class <= last; class ++) {
        if (class > classes && class->largest == class[-1].largest)
            return error(
                "%s:%d: the size class %s %s as %s does at line %d", file, class->line, class->name,
                isinf(class->largest) ? "has no `largest`, just" : "has the same `largest`",
                class[-1].name, class[-1].line);
        if (class->line == 0 || class->margin == 0)
            class->margin = policy->margin;
    }
    return isinf(last->largest)
               ? 0
               : error(
                     "%s:%d: the size class %s has a `largest`; leave it out in the last, so that "
                     "every shape has a class",
                     file, last->line, last->name);
}

/* Finds the classes by their names: they may come later in the file. */
static int place_must(struct gate_policy *policy, const char *file) {
    for (size_t i = 0; i < policy->must_count; i++) {
        struct gate_must *must = &policy->must[i];
        if (strcmp(must->words, "all") == 0)
            continue;
        for (char *rest, *word = strtok_r(must->words, " \t", &rest); word;
             word = strtok_r(NULL, " \t", &rest)) {
            const int class = find_class(policy, word);
            if (class < 0)
                return error("%s:%d: '%.60s' is no size class of this policy; name classes, or all "
                             "alone",
                             file, must->line, word);
            if (must->classes & INT64_C(1) << class)
                return error("%s:%d: %s is said already; remove one", file, must->line, word);
            must->classes |= INT64_C(1) << class;
        }
    }
    return 0;
}

void gate_policy_default(struct gate_policy *policy) {
    *policy = (struct gate_policy){.margin = 0.02,
                                   .alpha = 0.01,
                                   .screening_visits = 8,
                                   .confirm_visits = 56,
                                   .coverage = 1,
                                   .disturbed = 0.1,
                                   .undecided = 0.25,
                                   .on_merge = GATE_UNDECIDED_WARN,
                                   .on_release = GATE_UNDECIDED_FAIL,
                                   .classes = {{"small", 0x1p27, 0.02, 0},
                                               {"medium", 0x1p33, 0.02, 0},
                                               {"large", INFINITY, 0.02, 0}},
                                   .class_count = 3};
}

const char *gate_policy_tell(void) {
    static char text[1024];
    struct gate_policy policy;
    gate_policy_default(&policy);
    *text = 0;
    for (const struct inifile_row *row = gate_rows; row->key; row++) {
        char value[128];
        if (*inifile_say(row, &policy, value, sizeof value))
            text_append(text, sizeof text, "%s%s = %s", *text ? ", " : "", row->key, value);
    }
    return text;
}

int gate_policy_read(const char *file, struct gate_policy *policy) {
    struct reading reading = {.policy = policy};
    struct inifile ini = {.what = "a policy", .target = &reading, .begin = begin_policy};
    gate_policy_default(policy);
    if (!file)
        return 0;
    int status = inifile_read(&ini, file);
    if (status == 0)
        status = place_classes(policy, file);
    if (status == 0)
        status = place_must(policy, file);
    if (status < 0)
        gate_policy_free(policy);
    return status;
}

void gate_policy_free(struct gate_policy *policy) {
    free(policy->known);
    policy->known = NULL;
    policy->known_count = 0;
}
