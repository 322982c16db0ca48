/* The subcommands, one function each: argv[0] is the subcommand's name. Each returns an exit
 * status, or that it was called with the wrong words, which main says. */
#ifndef BENCH_COMMAND_COMMANDS_H
#define BENCH_COMMAND_COMMANDS_H

#define COMMAND_MISUSED (-1)

int command_run(int argc, char **argv);
int command_check(int argc, char **argv);
int command_build(int argc, char **argv);
int command_compare(int argc, char **argv);
int command_gate(int argc, char **argv);
int command_merge(int argc, char **argv);
int command_devices(int argc, char **argv);
int command_list(int argc, char **argv);
int command_report(int argc, char **argv);
int command_verify(int argc, char **argv);
int command_import(int argc, char **argv);
int command_profile(int argc, char **argv);
int command_reward(int argc, char **argv);
int command_baseline(int argc, char **argv);
int command_history(int argc, char **argv);

#endif
