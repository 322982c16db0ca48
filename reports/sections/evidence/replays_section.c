/* What replays say of the kernels: how many could be carried out, and why the others could not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/base/need.h"
#include "reports/rows/replays.h"
#include "reports/sections/sections.h"

/* One reason, without what is in brackets or behind a colon. */
struct reason {
    char words[RUNDIR_TEXT];
    size_t kernels;
    const struct replay_row *first;
};

struct sum {
    size_t kernels, replayed, same;
    struct reason *reasons;
    size_t reason_count;
};

static void add_reason(struct sum *sum, const struct replay_row *row) {
    char words[RUNDIR_TEXT];
    const char *why = strcmp(row->result, "no") == 0 ? row->why : "its products differ";
    size_t length = strcspn(why, "(:");
    while (length > 0 && why[length - 1] == ' ')
        length--;
    snprintf(words, sizeof words, "%.*s", (int)length, why);
    size_t i = 0;
    while (i < sum->reason_count && strcmp(sum->reasons[i].words, words) != 0)
        i++;
    struct reason *reason = &sum->reasons[i];
    if (i == sum->reason_count) {
        *reason = (struct reason){.first = row};
        memcpy(reason->words, words, sizeof words);
        sum->reason_count++;
    }
    reason->kernels++;
}

static void add_kernel(struct sum *sum, const struct replay_row *row) {
    sum->kernels++;
    if (!replays_right(row)) {
        add_reason(sum, row);
        return;
    }
    sum->replayed++;
    sum->same += strcmp(row->result, "same") == 0;
}

static int by_kernels(const void *left, const void *right) {
    const struct reason *a = left, *b = right;
    return a->kernels != b->kernels ? (a->kernels < b->kernels ? 1 : -1)
                                    : strcmp(a->words, b->words);
}

static void show_reasons(struct document *page, const struct sum *sum) {
    static const struct document_column columns[] = {
        {.name = "not replayed, because", .key = "reason", .type = DOCUMENT_TEXT},
        {.name = "kernels", .type = DOCUMENT_COUNT},
        {.name = "for example", .type = DOCUMENT_TEXT},
    };
    char shape[SHAPE_TEXT];
    if (sum->reason_count == 0)
        return;
    DOCUMENT_TABLE(page, "not_replayed", NULL, columns);
    for (size_t i = 0; i < sum->reason_count; i++) {
        const struct reason *reason = &sum->reasons[i];
        document_row(page);
        document_cell(page, reason->words);
        document_count(page, reason->kernels);
        document_cell_marked(page, "%s %s", shape_format(reason->first->shape, shape),
                             reason->first->candidate);
    }
}

static void show_facts(struct document *page, const struct sum *sum) {
    document_facts(page, NULL);
    document_fact_marked(page, "replayed", "%zu of %zu kernels on shapes (%.0f %%)", sum->replayed,
                         sum->kernels, 100 * (double)sum->replayed / (double)sum->kernels);
    document_fact_marked(page, "products", "%zu with the native bits, %zu right", sum->same,
                         sum->replayed - sum->same);
}

static void show(struct document *page, const struct rows *rows, struct sum *sum) {
    for (size_t i = 0; i < rows->replay_count; i++)
        if (replays_last(rows, rows->replays[i].shape, rows->replays[i].candidate,
                         rows->replays[i].kernel) == &rows->replays[i])
            add_kernel(sum, &rows->replays[i]);
    qsort(sum->reasons, sum->reason_count, sizeof *sum->reasons, by_kernels);
    document_section(page, 2, "replays", "Replays");
    document_paragraph(
        page,
        "What a kernel had the GPU do in a sequence of calls was carried out again in a process "
        "that never loaded its library. There its times by `device` and `stream` were taken, "
        "beside "
        "the libraries': nothing that its host code does can change them. "
        "All tries are in `replays.csv` of the run.");
    show_facts(page, sum);
    show_reasons(page, sum);
}

void section_replays(struct document *page, const struct report *report) {
    const struct rows *rows = report->rows;
    const size_t count = rows->replay_count;
    if (count == 0)
        return;
    struct sum sum = {.reasons = need(count, sizeof *sum.reasons)};
    show(page, rows, &sum);
    free(sum.reasons);
}
