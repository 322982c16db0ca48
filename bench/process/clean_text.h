/* Text that a kernel may have written goes into logs: nothing in it may end a line, steer a
 * terminal or command a CI. */
#ifndef BENCH_PROCESS_CLEAN_TEXT_H
#define BENCH_PROCESS_CLEAN_TEXT_H

/* Puts spaces for control characters, in place. "##", which begins a command wherever it stands in
 * a line (##[error] of GitHub, ##vso[...] of Azure), becomes " #". */
void clean_text(char *text);

/* The same, but for the ends of lines: of what goes into files, where nothing takes lines apart. */
void clean_lines(char *text);

#endif
