/* What a gate asks for: the sections [gate...] of a policy file. */
#ifndef REPORTS_GATE_GATE_POLICY_H
#define REPORTS_GATE_GATE_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/base/shape.h"

#define GATE_NAME 64
#define GATE_CLASSES 8
#define GATE_MUST 16
#define GATE_VISITS_MOST 64
#define GATE_RENAMED 1024

/* A size class: the shapes whose m n k is at most `largest` and above that of the class before. */
struct gate_class {
    char name[GATE_NAME];
    double largest; /* INFINITY in the last */
    double margin;  /* share that a kernel may be slower, 0.02 */
    int line;       /* in its file; 0: a default one */
};

/* A baseline that must be beaten by the shapes of these classes. */
struct gate_must {
    char baseline[GATE_NAME];
    int64_t classes; /* a bit for each of the policy's; 0: all */
    char words[200]; /* their names as the file has them */
    int line;
};

enum gate_undecided { GATE_UNDECIDED_PASS, GATE_UNDECIDED_WARN, GATE_UNDECIDED_FAIL };
extern const char *const gate_undecided_words[]; /* and NULL */

/* A known regression: a kernel that may be slower. */
struct gate_known {
    char pattern[GATE_NAME]; /* MxNxK, a part may be *, a kernel's label may follow a dot */
    double limit;            /* share that it may be slower */
    int64_t line;            /* in its file */
};

struct gate_policy {
    double margin;                        /* where no class says otherwise; default 0.02 */
    double alpha;                         /* chance of any false alarm in a gate; default 0.01 */
    int screening_visits, confirm_visits; /* 8 and 56 */
    double coverage;                      /* share of shapes that need an honest kernel; 1 */
    double disturbed;                     /* share of rows that may be `environment`; 0.1 */
    double undecided;                     /* share of rows that on_... may let pass; 0.25 */
    char lens[GATE_NAME];                 /* which is judged, "" for device, or call without it */
    char mode[GATE_NAME];                 /* which is judged, "" for all */
    enum gate_undecided on_merge, on_release; /* warn, fail */
    bool unrecorded_allowed; /* an unrecorded kernel is judged, by call; else it is refused */
    struct gate_class
        classes[GATE_CLASSES]; /* default: small up to 2^27, medium up to 2^33, large */
    size_t class_count;
    struct gate_must must[GATE_MUST];
    size_t must_count;
    struct gate_known *known;
    size_t known_count;
    char renamed[GATE_RENAMED]; /* OLD=NEW,...; "" for none */
};

void gate_policy_default(struct gate_policy *policy);

/* Every key of [gate] that has a default, as a policy would say it: "margin = 2 %, alpha = 0.01,
 * ...". Not to be freed. */
const char *gate_policy_tell(void);

/* Reads an INI file. NULL: the defaults. Shares are written in per cent with the sign. Classes take the
 * place of the default ones, whatever their order; the last has no `largest`, and one without a
 * margin has that of [gate].
 *
 *     [gate]                      [gate.class.small]     [gate.must]
 *     margin = 2 %                largest = 134217728    cublas-max = large medium
 *     alpha = 0.01                margin = 4 %           torch-matmul = all
 *     screening_visits = 8
 *     confirm_visits = 56         [gate.known]
 *     coverage = 100 %            64x*x8192 = 8 %
 *     lens = device               4096x4096x64.blocked = 3 %
 *     mode = offline
 *     renamed = OLD=NEW,OLD=NEW   unrecorded = refuse | allow
 *     on_merge = pass | warn | fail
 *     on_release = fail           undecided = 25 %
 *
 * Anything unknown, out of range, said twice or missing is an error() with file, line and cause. 0,
 * or -1 with nothing to free. */
int gate_policy_read(const char *file, struct gate_policy *policy);
void gate_policy_free(struct gate_policy *policy);

#endif
