
#include <math.h>
#include <stdbool.h>

#include "tests/support/test.h"
#include "timing/moderation.h"

#define CLOSE(got, want, tolerance) assert_true(fabs((got) - (want)) <= (tolerance)*fabs(want))

/* Expected values are those of limma 3.54.1 (Debian's r-bioc-limma) under R 4.2.2, with statmod
 * 1.5.0:
 *     library(limma); options(digits = 17)
 *     r <- squeezeVar(v, df, robust = FALSE or TRUE); r$var.prior; r$df.prior; r$var.post */

enum { MOST = 20 };

/* Rows, and what squeezeVar says of them; freedoms that are NULL are all `freedom`. */
struct example {
    size_t n;
    const double *variance, *freedoms;
    double freedom;
    struct moderation level;
    const double *prior_freedom; /* NULL: that of the level */
    const double *after;
    double tolerance;
};

static void check(const struct example *e, bool robust) {
    double freedom[MOST], prior[MOST];
    double pooled = 0;
    for (size_t i = 0; i < e->n; i++)
        pooled += freedom[i] = e->freedoms ? e->freedoms[i] : e->freedom;
    const struct moderation level = robust
                                        ? moderation_level_robust(e->variance, freedom, e->n, prior)
                                        : moderation_level(e->variance, freedom, e->n);
    CLOSE(level.variance, e->level.variance, e->tolerance);
    if (isinf(e->level.freedom))
        assert_true(isinf(level.freedom));
    else
        CLOSE(level.freedom, e->level.freedom, e->tolerance);
    for (size_t i = 0; i < e->n; i++) {
        struct moderation of_row = level;
        if (robust) {
            const double want = e->prior_freedom ? e->prior_freedom[i] : e->level.freedom;
            assert_true(isinf(want) ? isinf(prior[i])
                                    : fabs(prior[i] - want) <= e->tolerance * want);
            of_row.freedom = prior[i];
        }
        const struct moderation own = {e->variance[i], freedom[i]};
        const struct moderation after = moderation_squeeze(own, of_row, pooled);
        CLOSE(after.variance, e->after[i], e->tolerance);
        CLOSE(after.freedom, fmin(freedom[i] + of_row.freedom, pooled), 1e-14);
    }
}

/* v <- tapply(OrchardSprays$decrease, OrchardSprays$treatment, var); df 7: eight treatments, eight
 * plots each (Finney 1947; R's datasets). */
TEST(orchard) {
    const double v[] = {10.2678571428571, 10.8392857142857, 596.785714285714,
                        180.571428571429, 724.125,          852,
                        405.714285714286, 586.785714285714};
    const double after[] = {22.7463185699017, 23.2266685992378, 515.780590868111, 165.905638250463,
                            622.823592717967, 730.316922720326, 355.163549808868, 507.37446535473};
    const struct example e = {8,    v,     NULL, 7, {88.5579705225749, 1.32726086335178},
                              NULL, after, 1e-12};
    check(&e, false);
    check(&e, true); /* fewer than ten rows */
}

/* v <- tapply(morley$Speed, morley$Expt, var); df 19: Michelson's speed of light, five experiments
 * of twenty runs (R's datasets). */
TEST(speed_of_light) {
    const double v[] = {11009.4736842105, 3741.05263157895, 6257.8947368421, 3605,
                        2939.73684210526};
    const double after[] = {8526.73152765409, 4130.871468371, 5653.02952800111, 4048.58835285148,
                            3646.24460810609};
    const struct example e = {5,    v,     NULL, 19, {4727.40851631472, 12.4159227403892},
                              NULL, after, 1e-12};
    check(&e, false);
}

/* v <- tapply(chickwts$weight, chickwts$feed, var): six feeds, 10 to 14 chicks each. They scatter
 * less than their degrees of freedom explain. */
TEST(chicks) {
    const double v[] = {4151.7196969697,  1491.95555555556, 2728.56818181818,
                        4212.09090909091, 2929.95604395604, 2384.99242424242};
    const double df[] = {11, 9, 11, 10, 13, 11};
    double after[6];
    for (int i = 0; i < 6; i++)
        after[i] = 2983.2138019388;
    const struct example e = {6, v, df, 0, {2983.2138019388, INFINITY}, NULL, after, 1e-13};
    check(&e, false);
}

/* v <- signif(0.25 * qf((1:20 - 0.5) / 20, 3, 8), 4): four visits of a kernel each, about one
 * level. v[7] <- 144; v[13] <- 90: two that tune themselves. */
static const double plain[MOST] = {0.01719, 0.03819, 0.05677, 0.07488, 0.09322, 0.1122, 0.1322,
                                   0.1534,  0.1764,  0.2015,  0.2293,  0.2605,  0.2962, 0.3378,
                                   0.3878,  0.4501,  0.5318,  0.6485,  0.8438,  1.354};
static const double tuners[MOST] = {0.01719, 0.03819, 0.05677, 0.07488, 0.09322, 0.1122, 144,
                                    0.1534,  0.1764,  0.2015,  0.2293,  0.2605,  90,     0.3378,
                                    0.3878,  0.4501,  0.5318,  0.6485,  0.8438,  1.354};

TEST(tuners_spread_the_level) {
    const double after[] = {
        0.0611697275355858, 0.076441989712029, 0.089954305485282, 0.103124813486015,
        0.116462589120108,  0.130265805125294, 104.772751785679,  0.160228529014316,
        0.17695529235042,   0.195209281904169, 0.21542684802346,  0.238117066114176,
        65.5012204748248,   0.294333535935083, 0.330696064926615, 0.376003776050063,
        0.435420148422225,  0.520290291088459, 0.662322329329381, 1.03336557515897};
    const struct example e = {MOST, tuners, NULL, 3, {0.178435906621085, 1.12512562134867},
                              NULL, after,  1e-12};
    check(&e, false);
}

/* The robust level counts more, and those two keep nearly all of their own. */
TEST(tuners_keep_their_own) {
    double prior[MOST];
    for (int i = 0; i < MOST; i++)
        prior[i] = i == 6 || i == 12 ? 0.20479310411465 : 2.42370957836148;
    const double after[] = {
        0.120651361154085, 0.132267027348925, 0.142544126296549, 0.152561255572194,
        0.16270560404902,  0.173203953781308, 134.813986631772,  0.19599278460166,
        0.208714704719817, 0.222598191457459, 0.237975120991579, 0.255232682195341,
        84.2647016273808,  0.297989396331583, 0.325645744414534, 0.360105554125891,
        0.405296026893432, 0.46984594331904,  0.577871638931046, 0.860077014769477};
    const struct example e = {MOST,  tuners, NULL, 3, {0.248712943380487, 2.42370957836148},
                              prior, after,  1e-6};
    check(&e, true);
}

TEST(unequal_freedoms) {
    double df[MOST], prior[MOST];
    const double cycle[] = {3, 3, 2, 1};
    for (int i = 0; i < MOST; i++) {
        df[i] = cycle[i % 4];
        prior[i] = i == 6 || i == 12 ? 0.223537587206726 : 2.34840327729694;
    }
    prior[19] = 2.32166693912032;
    const double robust[] = {
        0.140361057948604, 0.152140274423813, 0.186891024247953, 0.231160191362021,
        0.183007430739565, 0.193653598772873, 129.553262557693,  0.254610174382999,
        0.229664346282799, 0.243743314546025, 0.26624428980213,  0.286595568951857,
        83.7795563216347,  0.320196038620836, 0.339144612008918, 0.34321957278244,
        0.429013562248961, 0.49447235094691,  0.548876769272611, 0.615708307999562};
    const struct example e = {MOST,  tuners, df,  0, {0.297707616530795, 2.34840327729694},
                              prior, robust, 1e-6};
    check(&e, true);
    const double after[] = {
        0.102747433989969, 0.117205704818259, 0.151808918024533, 0.199806914127019,
        0.15509325927925,  0.168160782151676, 85.8994837022087,  0.233115254319455,
        0.21236178154102,  0.229642857626262, 0.254585869260901, 0.278547287363391,
        62.0549301421126,  0.323483920192736, 0.349005081983119, 0.358975984516803,
        0.457050803082654, 0.537397479542724, 0.620646476313286, 0.742412162559885};
    const struct example p = {MOST, tuners, df,   0, {0.291843087376244, 1.35736754057265},
                              NULL, after,  1e-12};
    check(&p, false);
}

/* None is out: d0 falls a little towards the largest, which lie where the tail's model is coarse.
 */
TEST(none_is_out) {
    double prior[MOST];
    for (int i = 0; i < 13; i++)
        prior[i] = 9.5988043832631;
    const double last[] = {9.5781806739322,  9.52337188493712, 9.4430270337038, 9.32667632355241,
                           9.14304465188009, 8.8155862545941,  7.97585390656834};
    for (int i = 13; i < MOST; i++)
        prior[i] = last[i - 13];
    const double after[] = {
        0.199250451883929, 0.20425092638004,  0.208675155719932, 0.212987469678245,
        0.217354550738182, 0.221874027211334, 0.226636383874297, 0.231684481937038,
        0.237161192099445, 0.243137949711464, 0.249757625472982, 0.257186901867204,
        0.265687708510593, 0.2756252882514,   0.28768812084873,  0.302912214651825,
        0.323237292065685, 0.353083109110294, 0.405356528225056, 0.556223363897655};
    const struct example e = {MOST,  plain, NULL, 3, {0.256151429739476, 9.5988043832631},
                              prior, after, 1e-6};
    check(&e, true);
}

/* w <- signif(0.25 * qchisq((1:12 - 0.5) / 12, 3) / 3, 4): one variance for all. w[5] <- 30. */
static const double one_level[] = {0.02575, 0.0577, 0.08663, 0.1157, 0.1462, 0.1792,
                                   0.2163,  0.2592, 0.3112,  0.3787, 0.4783, 0.685};

TEST(one_variance_for_all) {
    double after[12];
    for (int i = 0; i < 12; i++)
        after[i] = 0.24499;
    struct example e = {12, one_level, NULL, 3, {0.24499, INFINITY}, NULL, after, 1e-14};
    check(&e, false);
    for (int i = 0; i < 12; i++)
        after[i] = 0.252602593872173;
    e.level.variance = after[0];
    e.tolerance = 1e-6;
    check(&e, true);
}

/* v <- rep(c(0.1, 0.6), 6): less scatter than degrees of freedom explain, but all of it in the
 * middle: the plain level stands. */
TEST(scatter_without_tails) {
    double v[12], after[12];
    for (int i = 0; i < 12; i++) {
        v[i] = i % 2 ? 0.6 : 0.1;
        after[i] = 0.35;
    }
    const struct example e = {12, v, NULL, 3, {0.35, INFINITY}, NULL, after, 1e-14};
    check(&e, true);
}

TEST(one_variance_but_for_one) {
    double v[12], prior[12];
    for (int i = 0; i < 12; i++) {
        v[i] = one_level[i];
        prior[i] = 9.34378858384296;
    }
    v[4] = 30;
    prior[4] = 0.224819790981999;
    prior[11] = 8.8261805123249;
    const double after[] = {0.208979259815766, 0.216744298835104, 0.223775365465134,
                            0.230840457305264, 27.9272066296378,  0.246273320457939,
                            0.255290001134541, 0.26571629765816,  0.278354232838303,
                            0.294759244850989, 0.318965751465263, 0.37363931381008};
    const struct example e = {12,    v,     NULL, 3, {0.267808478233422, 9.34378858384296},
                              prior, after, 1e-6};
    check(&e, true);
}

/* tuners with v[c(2, 9)] <- 0. The level counts for little then: a caller whose clock ticks adds to
 * each variance what a tick can hide. */
TEST(zeros_are_raised) {
    double v[MOST];
    for (int i = 0; i < MOST; i++)
        v[i] = i == 1 || i == 8 ? 0 : tuners[i];
    const double after[] = {
        0.0162714208832567,  0.00151159820788478, 0.0502559340590114, 0.0658056948880391,
        0.0815529402554807,  0.0978497078167698,  123.644005213889,   0.133225199045701,
        0.00151159820788478, 0.17452522642705,    0.1983950967223,    0.225184303672364,
        77.2780701080087,    0.291556281148004,   0.334487702542338,  0.387980253599678,
        0.458130196158019,   0.558332133692394,   0.726022265658662,  1.16409448956644};
    const struct example e = {MOST, v,     NULL, 3, {0.0106923774369084, 0.493944414796325},
                              NULL, after, 1e-12};
    check(&e, false);
    double prior[MOST];
    for (int i = 0; i < MOST; i++)
        prior[i] = v[i] > 0 ? 0.329861617639145 : 0.493944414796325;
    const double robust[] = {
        0.0156909363180585,   0.000290853285902059, 0.0513500758363506, 0.0676660691834013,
        0.0841892783487747,   0.101289088052089,    129.735324842981,   0.138407747682044,
        0.000290853285902059, 0.181742881861677,    0.206788967728491,  0.234898243953118,
        81.084654454205,      0.304540777676311,    0.349587694702956,  0.405716153318155,
        0.479322815739693,    0.584462320079882,    0.760415577985957,  1.22007431932584};
    const struct example r = {MOST,  v,      NULL, 3, {0.00205736755667476, 0.493944414796325},
                              prior, robust, 1e-4};
    check(&r, true); /* moments of so few degrees of freedom: limma's own are off by 6e-5 */
}

TEST(rows_that_do_not_count) {
    const double v[] = {2, NAN, 3, INFINITY, 5, 4, -1}, df[] = {3, 3, 3, 3, NAN, 0, 3};
    const double two[] = {2, 3}, both[] = {3, 3};
    const struct moderation level = moderation_level(v, df, 7);
    const struct moderation want = moderation_level(two, both, 2);
    CLOSE(level.variance, want.variance, 0);
    assert_true(level.freedom == want.freedom);
    /* Where own is unknown the level speaks; where there is no level, own. */
    const struct moderation known = {4, 10}, own = {2, 3}, none = {NAN, 0};
    struct moderation after = moderation_squeeze(none, known, 100);
    assert_true(after.variance == 4 && after.freedom == 10);
    after = moderation_squeeze((struct moderation){2, 0}, known, 100);
    assert_true(after.variance == 4 && after.freedom == 10);
    after = moderation_squeeze(own, none, 100);
    assert_true(after.variance == 2 && after.freedom == 3);
    after = moderation_squeeze(own, (struct moderation){4, 0}, 100);
    assert_true(after.variance == 2 && after.freedom == 3);
    after = moderation_squeeze(none, none, 100);
    assert_true(isnan(after.variance) && after.freedom == 0);
    after = moderation_squeeze(own, (struct moderation){4, INFINITY}, 100);
    assert_true(after.variance == 4 && after.freedom == 100);
}

TEST(few_rows) {
    const double v[] = {7, 0, 0, 0}, df[] = {3, 3, 3, 3};
    double prior[4];
    struct moderation level = moderation_level(v, df, 0);
    assert_true(isnan(level.variance) && level.freedom == 0);
    level = moderation_level(v, df, 1);
    assert_true(level.variance == 7 && level.freedom == 0);
    level = moderation_level_robust(v, df, 1, prior);
    assert_true(level.variance == 7 && level.freedom == 0 && prior[0] == 0);
    /* Half or more are zero. */
    level = moderation_level_robust(v, df, 4, prior);
    assert_true(isnan(level.variance) && level.freedom == 0 && prior[0] == 0 && prior[3] == 0);
    level = moderation_level_robust(v, df, 0, prior);
    assert_true(isnan(level.variance) && level.freedom == 0);
}

/* Rows that do not count, among more than ten that do, have the d0 of all. */
TEST(robust_among_others) {
    double v[MOST + 2], df[MOST + 2], prior[MOST + 2], alone[MOST], three[MOST];
    for (int i = 0; i < MOST; i++) {
        v[i + 1] = tuners[i];
        df[i + 1] = three[i] = 3;
    }
    v[0] = NAN;
    df[0] = 3;
    v[MOST + 1] = 9;
    df[MOST + 1] = 0;
    const struct moderation level = moderation_level_robust(v, df, MOST + 2, prior);
    const struct moderation want = moderation_level_robust(tuners, three, MOST, alone);
    assert_true(level.variance == want.variance && level.freedom == want.freedom);
    assert_true(prior[0] == want.freedom && prior[MOST + 1] == want.freedom);
    for (int i = 0; i < MOST; i++)
        assert_true(prior[i + 1] == alone[i]);
}
