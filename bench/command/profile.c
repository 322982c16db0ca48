/* gemmgate profile. */
#include "bench/command/commands.h"
#include "bench/run/profile_run.h"

int command_profile(struct settings *settings) {
    return profile_run(&(struct profile_call){.run = settings->arguments[0],
                                              .shapes = settings->shapes,
                                              .candidates = settings->candidates,
                                              .cutlass = settings->cutlass,
                                              .baseline = settings->baseline,
                                              .device = settings->device});
}
