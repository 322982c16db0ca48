/* By how much cards of one model differ, from shapes that several cards have measured. A card's
 * effect has a part that is common to all shapes, so that many shapes do not stand for many cards,
 * and a part of each shape's own:
 *
 *     x[shape][card] = shape's mean + common[card] + own[shape][card], with what its visits scatter
 *
 * a two-way layout with one value a cell (Scheffe 1959, The Analysis of Variance, 4.2 and 7.4).
 *
 * Simulated, a card's effect of 1 % and visits of 0.4 %: with two cards the interval of a shape's
 * mean over cards is 1.9 % to both sides where nothing is common and 6.3 % where all is; with three
 * 1.3 and 2.2 %, with five 1.0 and 1.2 % (40 shapes, medians). It covers in 95 to 99 %. So two cards
 * tell by how much these two differ, and of their model little more than its order of magnitude.
 * Pure functions. */
#ifndef TIMING_CARDS_H
#define TIMING_CARDS_H

#include "timing/moderation.h"

/* The variance of a card's value about the model's, the scatter of its visits included: the sum of
 * both. common has cards - 1 degrees of freedom, own (cards - 1) (shapes - 1): a variance of 0 and
 * none for one shape, of which all is in common. */
struct cards_effect {
    struct moderation common, own;
};

/* x: shapes times cards, a shape's cards together; at least one shape and two cards. */
struct cards_effect cards_effect_of(const double *x, size_t shapes, size_t cards);

/* How far a card's value is from the model's, at most, with that two-sided confidence: each part by
 * Student's t, and the root of the sum of both squares (Zou & Donner 2008, Stat. Med. 27, 1693, doi
 * 10.1002/sim.3095). Over the root of K it is the half-width of the interval of a mean over K cards,
 * which of one shape is that of Hartung & Knapp (2001, Stat. Med. 20, 1771, doi 10.1002/sim.791) for
 * equal weights; times the root of 2 that of a difference between two cards. (Satterthwaite's
 * degrees of freedom of the sum cover in 88 to 96 % with two cards.) */
double cards_reach(const struct cards_effect *effect, double confidence);

#endif
