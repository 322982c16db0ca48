/* gemmgate winners: the fastest honest kernel or library of each shape. */
#include "bench/base/error.h"
#include "bench/command/commands.h"
#include "bench/command/options/settings_plan.h"
#include "reports/compare/compare.h"

/* The word of the only bit; NULL: there is none. */
static const char *word_of(int bits, const char *const *words, int count) {
    for (int i = 0; i < count; i++)
        if (bits & 1 << i)
            return words[i];
    return NULL;
}

int command_winners(struct settings *settings) {
    struct document *page;
    struct gate_policy policy;
    if (settings->modes & (settings->modes - 1) || settings->lenses & (settings->lenses - 1))
        return error("winners: one mode and one lens are wanted, since a shape has one winner"),
               EXIT_TROUBLE;
    settings_margins(settings, &policy);
    policy.native_refused = !settings->native;
    const struct compare_winners_call call = {
        .runs = settings->arguments,
        .count = settings->argument_count,
        .mode = word_of(settings->modes, words_modes, MODE_COUNT),
        .lens = word_of(settings->lenses, words_lenses, LENS_COUNT),
        .weights = settings->weights,
        .policy = &policy,
        .folder = settings->output};
    const int status = compare_winners(&call, &page);
    gate_policy_free(&policy);
    return status == EXIT_PASS ? listing_print(settings, page, "winners") : status;
}
