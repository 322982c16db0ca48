/* Where a process's driver has memory of its own. The marks of events and the parameters of
 * launches lie there, and code on the device can read and write them. */
#ifndef BENCH_PROCESS_HIDE_DRIVER_H
#define BENCH_PROCESS_HIDE_DRIVER_H

/* To be called before CUDA is asked for anything: what the driver then takes for itself lies at
 * addresses that are drawn for this process, and not where it does in every process (from 8 GiB on;
 * H200, driver 580). Who looks for it from the device meets pages that are not there, which ends
 * the context. Where an address is not free nothing is hidden. */
void hide_driver_memory(void);

#endif
