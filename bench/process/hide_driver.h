/* Where a process's driver has memory of its own. The marks of events and the parameters of launches
 * lie there, and code on the device can read and write them. */
#ifndef BENCH_PROCESS_HIDE_DRIVER_H
#define BENCH_PROCESS_HIDE_DRIVER_H

/* To be called before CUDA is asked for anything. The driver's memory then lies at addresses that
 * are drawn for this process, and not from 8 GiB on, where it lies in every process (H200, driver
 * 580). Code that looks for it from the device meets pages that are not there, which ends the
 * context. Where an address is not free nothing is hidden. */
void hide_driver_memory(void);

#endif
