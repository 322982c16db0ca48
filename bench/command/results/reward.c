/* gemmgate reward. */
#include "reports/tables/reward.h"

#include "bench/command/commands.h"

int command_reward(struct settings *settings) {
    return reward_print(settings->arguments[0], settings->baseline, settings->alpha,
                        settings->beta);
}
