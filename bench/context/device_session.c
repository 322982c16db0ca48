#include "bench/context/device_session.h"

void device_session_end_processes(struct device_session *session) {
    warm_runners_end(&session->warm);
    process_end(&session->stage.process);
    session->stage.visits = 0;
    for (size_t i = 0; i < sizeof session->own / sizeof *session->own; i++) {
        if (session->own[i].units > 0)
            process_end(&session->own[i].process);
        session->own[i].units = 0;
    }
    process_end(&session->leaving);
}
