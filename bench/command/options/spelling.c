#include "bench/command/options/spelling.h"

#include <string.h>

#define LETTERS 40 /* longer words are far from any */

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

size_t spelling_distance(const char *typed, const char *meant) {
    size_t cost[LETTERS + 1][LETTERS + 1];
    const size_t rows = strlen(typed), columns = strlen(meant);
    if (rows > LETTERS || columns > LETTERS)
        return SPELLING_FAR;
    for (size_t i = 0; i <= rows; i++)
        for (size_t j = 0; j <= columns; j++) {
            if (i == 0 || j == 0) {
                cost[i][j] = i + j;
                continue;
            }
            const size_t changed = cost[i - 1][j - 1] + (typed[i - 1] != meant[j - 1]);
            cost[i][j] = least(changed, least(cost[i - 1][j], cost[i][j - 1]) + 1);
            if (i > 1 && j > 1 && typed[i - 1] == meant[j - 2] && typed[i - 2] == meant[j - 1])
                cost[i][j] = least(cost[i][j], cost[i - 2][j - 2] + 1);
        }
    const size_t distance = cost[rows][columns], longer = rows > columns ? rows : columns;
    return distance == 0 || 3 * distance <= longer ? least(distance, SPELLING_FAR) : SPELLING_FAR;
}
