/* What cards differ by, against values computed elsewhere, and the coverage of its intervals. */
#include <math.h>
#include <stdlib.h>

#include "tests/support/doubles.h"
#include "tests/support/draws.h"
#include "tests/support/test.h"
#include "timing/agreement.h"
#include "timing/stats.h"

/* Four plates (shapes) and three samples (cards) of R's data set Penicillin (Davies & Goldsmith
 * 1972), in thousandths. By statsmodels 0.15.0, anova_lm of x ~ C(s) + C(c): mean squares 1.4333e-5
 * of samples with 2 and 3.3333e-7 of residuals with 6 degrees of freedom. Quantiles by scipy. */
static const double plates[] = {.027, .023, .026, .025, .021, .025,
                                .024, .020, .023, .026, .024, .026};

TEST(test_values) {
    const struct cards_effect effect = cards_effect_of(plates, 4, 3);
    assert_double_near(effect.common.variance, 1.43333333333333e-5 / 4, 1e-18);
    assert_double_near(effect.common.freedom, 2, 0);
    assert_double_near(effect.own.variance, 3.33333333333333e-7 * 3 / 4, 1e-18);
    assert_double_near(effect.own.freedom, 6, 0);
    /* The root of (4.302652729749462^2 common + 2.4469118511449786^2 own). */
    assert_double_near(cards_reach(&effect, 0.95), 0.008236167266357885, 1e-12);
}

/* One shape is a random-effects mean of studies that weigh the same: combine_effects(plates[9:12],
 * three tiny variances, method_re="iterated") of statsmodels has 0.0006666666666666666 as the
 * standard error of Hartung, Knapp, Sidik and Jonkman. */
TEST(test_hartung_knapp) {
    const struct cards_effect effect = cards_effect_of(plates + 9, 1, 3);
    assert_double_near(cards_reach(&effect, 0.95) / sqrt(3),
                       4.302652729749462 * 0.0006666666666666666, 1e-12);
}

enum { DRAWS = 4000, SHAPES_MOST = 40, CARDS_MOST = 5 };

/* What is found. */
struct found {
    double held;   /* how often the interval of the first shape's mean over cards has the truth */
    double apart;  /* how often two other cards are no further apart there than is said of two */
    double median; /* the half-width of the former */
};

/* A card's effect of 1 %, of which a part is common to all shapes, and visits of 0.4 %. */
static struct found simulate(size_t shapes, size_t cards, double common) {
    static double halves[DRAWS], x[SHAPES_MOST * CARDS_MOST];
    uint64_t seed = 7;
    size_t held = 0, apart = 0;
    for (size_t d = 0; d < DRAWS; d++) {
        double mean = 0;
        for (size_t c = 0; c < cards; c++) {
            const double all = sqrt(common) * draw_normal(&seed);
            for (size_t s = 0; s < shapes; s++)
                x[s * cards + c] =
                    all + sqrt(1 - common) * draw_normal(&seed) + 0.4 * draw_normal(&seed);
            mean += x[c] / (double)cards;
        }
        const struct cards_effect effect = cards_effect_of(x, shapes, cards);
        halves[d] = cards_reach(&effect, 0.95) / sqrt((double)cards);
        held += fabs(mean) <= halves[d];
        apart += fabs(sqrt(2) * draw_normal(&seed)) <= sqrt(2) * cards_reach(&effect, 0.95);
    }
    return (struct found){(double)held / DRAWS, (double)apart / DRAWS, stats_median(halves, DRAWS)};
}

/* Three standard errors of so many draws below 95 %, and not so far above that it says nothing. */
TEST(test_coverage) {
    static const double commons[] = {0, 0.5, 1};
    for (size_t cards = 2; cards <= CARDS_MOST; cards += cards == 2 ? 1 : 2)
        for (size_t shapes = 1; shapes <= SHAPES_MOST; shapes = shapes == 1 ? 5 : shapes * 8)
            for (size_t c = 0; c < 3; c++) {
                const struct found found = simulate(shapes, cards, commons[c]);
                if (found.held < 0.94 || found.held > (shapes == 1 ? 0.96 : 0.995) ||
                    found.apart < 0.94)
                    fail_msg("%zu cards, %zu shapes, %g common: %g and %g", cards, shapes,
                             commons[c], found.held, found.apart);
            }
}

/* What cards.h says of how wide intervals are. */
TEST(test_widths) {
    static const struct {
        size_t cards;
        double common, half;
    } wanted[] = {{2, 0, 1.9}, {2, 1, 6.3}, {3, 0, 1.3}, {3, 1, 2.2}, {5, 0, 1.0}, {5, 1, 1.2}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        assert_double_near(simulate(SHAPES_MOST, wanted[i].cards, wanted[i].common).median,
                           wanted[i].half, 0.06 * wanted[i].half);
}
