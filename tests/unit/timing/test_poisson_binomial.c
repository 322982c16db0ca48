
#include <math.h>

#include "tests/support/doubles.h"
#include "tests/support/test.h"
#include "timing/significance.h"

/* R 4.2.2, the distribution by its characteristic function (Hong 2013, Comput. Stat. Data Anal. 59,
 * eq. 6): pb <- function(p) { n <- length(p); w <- 2 * pi / (n + 1); c <- sapply(0:n, function(k)
 * prod(1 - p + p * exp(1i * w * k))); Re(sapply(0:n, function(k) mean(exp(-1i * w * k * 0:n) * c)))
 * } */
TEST(eight_chances) {
    const double chance[] = {0.05, 0.031, 0.2, 0.5, 0.01, 0.9, 0, 1};
    const double share[] = {0,           0.03645378,  0.377104305,
                            0.454704875, 0.12268035,  0.00883995,
                            0.000215345, 0.000001395, 0};
    double at_most = 0;
    for (size_t k = 0; k < 9; k++) {
        const struct poisson_binomial result = poisson_binomial_of(chance, 8, k);
        assert_double_near(result.expected, 2.691, 1e-14);
        assert_double_near(result.at_least, 1 - at_most, 1e-15);
        at_most += share[k];
        assert_double_near(result.at_most, at_most, 1e-15);
    }
    const struct poisson_binomial result = poisson_binomial_of(chance, 8, 9);
    assert_double_near(result.at_most, 1, 1e-15);
    assert_double_near(result.at_least, 0, 0);
}

/* R 4.2.2: pbinom(k - 1, 200, 0.05, lower.tail = FALSE), pbinom(k, 200, 0.05). Small tails keep
 * their digits. */
TEST(equal_chances_are_binomial) {
    double chance[200];
    for (int i = 0; i < 200; i++)
        chance[i] = 0.05;
    struct poisson_binomial result = poisson_binomial_of(chance, 200, 15);
    assert_double_near(result.expected, 10, 1e-12);
    assert_double_near(result.at_least, 0.0781344156732563, 1e-14);
    assert_double_near(result.at_most, 0.9556443708329387, 1e-14);
    result = poisson_binomial_of(chance, 200, 26);
    assert_double_near(result.at_least, 9.038731372575584e-06, 1e-18);
    result = poisson_binomial_of(chance, 200, 61);
    assert_double_near(result.at_least, 6.360726189073124e-31, 1e-43);
}

/* Shares too small for a double are left out, and come back where later events are likely. Python's
 * decimal, with 60 digits: the two binomial distributions folded. */
TEST(ten_thousand_events) {
    static double chance[10000];
    for (int i = 0; i < 10000; i++)
        chance[i] = i < 5000 ? 0.001 : 0.9;
    const struct poisson_binomial middle = poisson_binomial_of(chance, 10000, 4505);
    assert_double_near(middle.at_least, 0.5117808859546054, 1e-11);
    assert_double_near(middle.at_most, 0.5069190989999358, 1e-11);
    const struct poisson_binomial far = poisson_binomial_of(chance, 10000, 4800);
    assert_double_near(far.at_least, 1.3680041918461619e-53, 1e-63);
}

TEST(no_events) {
    const struct poisson_binomial result = poisson_binomial_of(NULL, 0, 0);
    assert_double_near(result.expected, 0, 0);
    assert_double_near(result.at_least, 1, 0);
    assert_double_near(result.at_most, 1, 0);
}

TEST(no_chance_is_nan) {
    const double wrong[] = {NAN, -0.1, 1.1};
    for (int i = 0; i < 3; i++) {
        const double chance[] = {0.5, wrong[i]};
        const struct poisson_binomial result = poisson_binomial_of(chance, 2, 1);
        assert_nan(result.expected);
        assert_nan(result.at_least);
        assert_nan(result.at_most);
    }
}
