#include "timing/cards.h"

#include <math.h>

#include "timing/tails.h"

/* The mean of `count` values, `step` apart. */
static double mean_of(const double *x, size_t count, size_t step) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += x[i * step];
    return sum / (double)count;
}

struct cards_effect cards_effect_of(const double *x, size_t shapes, size_t cards) {
    const double mean = mean_of(x, shapes * cards, 1), s = (double)shapes, k = (double)cards;
    double between = 0, rest = 0;
    for (size_t c = 0; c < cards; c++) {
        const double card = mean_of(x + c, shapes, cards);
        between += (card - mean) * (card - mean);
        for (size_t i = 0; i < shapes; i++) {
            const double left = x[i * cards + c] - mean_of(x + i * cards, cards, 1) - card + mean;
            rest += left * left;
        }
    }
    return (struct cards_effect){{between / (k - 1), k - 1},
                                 {rest / (k - 1) / s, (k - 1) * (s - 1)}};
}

static double square_of(struct moderation part, double confidence) {
    const double t =
        part.freedom > 0 ? tails_student_quantile((1 + confidence) / 2, part.freedom) : 0;
    return t * t * part.variance;
}

double cards_reach(const struct cards_effect *effect, double confidence) {
    return sqrt(square_of(effect->common, confidence) + square_of(effect->own, confidence));
}
