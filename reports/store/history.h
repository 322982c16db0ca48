/* What changed over the promoted runs of a store. */
#ifndef REPORTS_STORE_HISTORY_H
#define REPORTS_STORE_HISTORY_H

#include <stdbool.h>

/* What is wanted of a history. */
struct history_call {
    const char *store;
    const char *baseline; /* NULL: cublas-max, or the first there is */
    const char *folder;   /* gets history.html, history.png and history.svg; NULL: none */
    bool json;            /* print JSON */
};

/* Prints one page over all shapes, what changed when. Returns an exit status. */
int history_show(const struct history_call *call);

#endif
