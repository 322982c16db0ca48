#include "bench/run/worker_cores.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

#include "bench/device/pci.h"

/* Reads "0-31,64-95" into the set. False where there is no such file. */
static bool read_list(const char *path, cpu_set_t *set) {
    FILE *file = fopen(path, "r");
    size_t first, last;
    CPU_ZERO(set);
    if (!file)
        return false;
    while (fscanf(file, "%zu", &first) == 1) {
        int mark = fgetc(file);
        last = first;
        if (mark == '-' && fscanf(file, "%zu", &last) == 1)
            mark = fgetc(file);
        for (size_t cpu = first; cpu <= last && cpu < CPU_SETSIZE; cpu++)
            CPU_SET(cpu, set);
        if (mark != ',')
            break;
    }
    fclose(file);
    return true;
}

/* The processors near a GPU; all that are allowed where nobody says, or none of them may be used.
 */
static void find_near(const char *sys, const cpu_set_t *allowed, const char *pci, cpu_set_t *near) {
    char folder[PATH_MAX], path[PATH_MAX];
    cpu_set_t list;
    *near = *allowed;
    snprintf(folder, sizeof folder, "%s/bus/pci/devices", sys);
    if (!pci_path(folder, pci, "local_cpulist", path) || !read_list(path, &list))
        return;
    CPU_AND(&list, &list, allowed);
    if (CPU_COUNT(&list) > 0)
        *near = list;
}

/* Whether each set is either the same as another or has nothing in common with it, and has a
 * processor for all whose set it is. */
static bool are_apart(const cpu_set_t *near, size_t workers) {
    for (size_t a = 0; a < workers; a++) {
        int sharers = 0;
        for (size_t b = 0; b < workers; b++) {
            cpu_set_t both;
            CPU_AND(&both, &near[a], &near[b]);
            if (CPU_EQUAL(&near[a], &near[b]))
                sharers++;
            else if (CPU_COUNT(&both) > 0)
                return false;
        }
        if (sharers > CPU_COUNT(&near[a]))
            return false;
    }
    return true;
}

/* Numbers the physical cores of a set; core[cpu] is that of a processor. Returns how many. */
static size_t number_cores(const char *sys, const cpu_set_t *set, size_t core[CPU_SETSIZE]) {
    size_t count = 0;
    for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        char path[PATH_MAX];
        cpu_set_t siblings;
        if (!CPU_ISSET(cpu, set))
            continue;
        size_t first = cpu;
        if (snprintf(path, sizeof path,
                     "%s/devices/system/cpu/cpu%zu/topology/thread_siblings_list", sys,
                     cpu) < (int)sizeof path &&
            read_list(path, &siblings))
            for (size_t other = cpu; other-- > 0;)
                if (CPU_ISSET(other, &siblings) && CPU_ISSET(other, set))
                    first = other;
        core[cpu] = first < cpu ? core[first] : count++;
    }
    return count;
}

void worker_cores_of(const char *sys, const cpu_set_t *allowed, const char *const *pci,
                     size_t workers, size_t worker, cpu_set_t *mine) {
    cpu_set_t near[WORKER_CORES_MOST];
    size_t core[CPU_SETSIZE] = {0}, sharers = 1, before = 0, at = 0;
    CPU_ZERO(mine);
    for (size_t w = 0; w < workers; w++)
        find_near(sys, allowed, pci ? pci[w] : "", &near[w]);
    if (!are_apart(near, workers))
        for (size_t w = 0; w < workers; w++)
            near[w] = *allowed;
    for (size_t w = 0; w < workers; w++)
        if (w != worker && CPU_EQUAL(&near[w], &near[worker])) {
            sharers++;
            before += w < worker;
        }
    const size_t cores = number_cores(sys, &near[worker], core);
    const bool whole = cores >= sharers;
    const size_t count = whole ? cores : (size_t)CPU_COUNT(&near[worker]);
    const size_t first = before * count / sharers, end = (before + 1) * count / sharers;
    for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &near[worker])) {
            const size_t place = whole ? core[cpu] : at++;
            if (place >= first && place < end)
                CPU_SET(cpu, mine);
        }
}
