/* Keeps a process from all GPUs but its own, before it opens that one. The device nodes of the
 * others can then neither be read nor written, and a CUDA driver behaves as if they were not there.
 * CUDA_VISIBLE_DEVICES would not do: the driver asks each GPU before it hides some, and it serves
 * one process after another. */
#ifndef BENCH_PROCESS_HIDE_GPUS_H
#define BENCH_PROCESS_HIDE_GPUS_H

/* For the calling thread and those it starts afterwards, by Landlock (so that no_new_privs is set).
 * pci is the address of the GPU to stay with, as CUDA writes it; proc and dev are "/proc" and
 * "/dev". 1: the others are hidden. 0: nothing is changed, since the kernel has no Landlock, proc
 * does not tell which node that GPU is, or a folder on the way to dev may not be listed. -1 after
 * error(). */
int hide_other_gpus(const char *proc, const char *dev, const char *pci);

/* Where a process's driver has memory of its own, the marks of events and the parameters of launches
 * lie, and code on the device can read and write them. To be called before CUDA is asked for anything: what the driver then takes for itself lies at
 * addresses that are drawn for this process, and not where it does in every process (from 8 GiB on;
 * H200, driver 580). Who looks for it from the device meets pages that are not there, which ends
 * the context. Where an address is not free nothing is hidden. */
void hide_driver_memory(void);

#endif
