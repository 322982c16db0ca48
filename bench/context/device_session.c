#include "bench/context/device_session.h"

enum { SETS = sizeof((struct device_session *)0)->own / sizeof(struct shared_process) };

int device_session_waiting(const struct device_session *session) {
    int waiting = (int)session->warm.count + (session->stage.units > 0);
    for (int i = 0; i < SETS; i++)
        waiting += session->own[i].units > 0;
    return waiting;
}

void device_session_end_processes(struct device_session *session) {
    warm_runners_end(&session->warm);
    process_end(&session->stage.process);
    session->stage.units = 0;
    for (int i = 0; i < SETS; i++) {
        if (session->own[i].units > 0)
            process_end(&session->own[i].process);
        session->own[i].units = 0;
    }
    process_end(&session->leaving);
}
