#include "bench/run/environment.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "bench/base/files.h"
#include "bench/base/need.h"
#include "bench/device/nvml.h"
#include "git_commit.h"

/* Puts value at a dotted path and takes it over; NULL becomes null. */
static void put(json_t *root, const char *path, json_t *value) {
    const char *name = path, *dot;
    for (; (dot = strchr(name, '.')); name = dot + 1) {
        char member[32];
        snprintf(member, sizeof member, "%.*s", (int)(dot - name), name);
        if (!json_object_get(root, member))
            json_object_set_new(root, member, json_object());
        root = json_object_get(root, member);
    }
    json_object_set_new(root, name, value ? value : json_null());
}

static json_t *text(const char *value) {
    return *value ? json_string(value) : NULL;
}

static json_t *count(int64_t value) {
    return value >= 0 ? json_integer(value) : NULL;
}

/* nvml: NULL where the GPU is not known to it. */
static void put_gpu_state(json_t *root, const struct nvml *nvml) {
    enum unit { AS_IT_IS, MILLI, YES_NO, REASONS };
    static const struct {
        const char *path;
        enum unit unit;
    } members[NVML_FIELDS] = {
        [NVML_SM_MHZ] = {"gpu.clocks.sm_mhz", AS_IT_IS},
        [NVML_MEMORY_MHZ] = {"gpu.clocks.memory_mhz", AS_IT_IS},
        [NVML_SM_MAX_MHZ] = {"gpu.clocks.sm_max_mhz", AS_IT_IS},
        [NVML_MEMORY_MAX_MHZ] = {"gpu.clocks.memory_max_mhz", AS_IT_IS},
        [NVML_SM_APPLICATION_MHZ] = {"gpu.clocks.sm_application_mhz", AS_IT_IS},
        [NVML_MEMORY_APPLICATION_MHZ] = {"gpu.clocks.memory_application_mhz", AS_IT_IS},
        [NVML_POWER_MW] = {"gpu.power_w", MILLI},
        [NVML_POWER_LIMIT_MW] = {"gpu.power_limit_w", MILLI},
        [NVML_TEMPERATURE_C] = {"gpu.temperature_c", AS_IT_IS},
        [NVML_THROTTLE] = {"gpu.throttle_reasons", REASONS},
        [NVML_ECC] = {"gpu.ecc", YES_NO},
        [NVML_MIG] = {"gpu.mig", YES_NO},
        [NVML_PERSISTENCE] = {"gpu.persistence", YES_NO},
    };
    for (int i = 0; i < NVML_FIELDS; i++) {
        int64_t value = nvml_value(nvml, (enum nvml_field)i);
        char words[NVML_THROTTLE_TEXT];
        json_t *json = NULL;
        if (value >= 0 && members[i].unit == MILLI)
            json = json_real((double)value / 1000);
        else if (value >= 0 && members[i].unit == YES_NO)
            json = json_boolean(value != 0);
        else if (value >= 0 && members[i].unit == REASONS)
            json = json_string(nvml_throttle_text(value, words));
        else if (value >= 0)
            json = json_integer(value);
        put(root, members[i].path, json);
    }
}

static void put_nvml(json_t *root, const struct device_info *info) {
    struct nvml *nvml = nvml_open(info->uuid, info->pci);
    char driver[80];
    nvml_driver(nvml, driver);
    put_gpu_state(root, nvml);
    put(root, "driver", text(driver));
    nvml_close(nvml);
}

static void put_gpu(json_t *root, const struct device_info *info) {
    put(root, "gpu.name", text(info->name));
    put(root, "gpu.uuid", text(info->uuid));
    put(root, "gpu.pci", text(info->pci));
    put(root, "gpu.sm", count(info->sm));
    put(root, "gpu.memory_bytes", count(info->memory_bytes));
    put(root, "gpu.l2_bytes", count(info->l2_bytes));
    put(root, "gpu.multiprocessors", count(info->units));
    put_nvml(root, info);
    put(root, "cuda.driver", count(info->driver));
    put(root, "cuda.runtime", count(info->runtime));
    put(root, "cuda.cublas", count(info->cublas));
    put(root, "cuda.cublaslt", count(info->cublaslt));
    put(root, "openblas", NULL);
}

static void put_no_gpu(json_t *root, const struct device_info *info) {
    put(root, "gpu", NULL);
    put(root, "driver", NULL);
    put(root, "cuda", NULL);
    put(root, "openblas", text(info->blas));
}

static void put_cpu(json_t *root) {
    char value[256];
    cpu_set_t set;
    bool known = sched_getaffinity(0, sizeof set, &set) == 0;
    files_value("/proc/cpuinfo", "model name", ':', value, sizeof value);
    put(root, "cpu.model", text(value));
    put(root, "cpu.cores_online", count(sysconf(_SC_NPROCESSORS_ONLN)));
    put(root, "cpu.cores_allowed", count(known ? CPU_COUNT(&set) : -1));
    files_value("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "", 0, value,
                sizeof value);
    put(root, "cpu.governor", text(value));
}

static void put_system(json_t *root) {
    int64_t pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    struct utsname system;
    bool known = uname(&system) == 0;
    char value[256];
    double load[3];
    put(root, "memory_bytes", count(pages > 0 ? pages * page : -1));
    put(root, "os.kernel", known ? json_sprintf("%s %s", system.sysname, system.release) : NULL);
    put(root, "os.build", known ? json_string(system.version) : NULL);
    put(root, "os.machine", known ? json_string(system.machine) : NULL);
    files_value("/etc/os-release", "PRETTY_NAME", '=', value, sizeof value);
    put(root, "os.distribution", text(value));
    put(root, "load_average",
        getloadavg(load, 3) == 3 ? json_pack("[f, f, f]", load[0], load[1], load[2]) : NULL);
}

/* Puts the environment variables that change what is compiled or measured, as
 * "NAME=VALUE NAME=VALUE". Those that are not set are left out. */
static void put_variables(json_t *root) {
    static const char *const names[] = {"CUBLASLT_HEURISTICS_CACHE_CAPACITY",
                                        "CUBLASLT_LOG_LEVEL",
                                        "CUBLASLT_WORKSPACE_SIZE",
                                        "CUBLAS_LOGINFO_DBG",
                                        "CUBLAS_WORKSPACE_CONFIG",
                                        "CUDA_DEVICE_MAX_CONNECTIONS",
                                        "CUDA_FORCE_PTX_JIT",
                                        "CUDA_LAUNCH_BLOCKING",
                                        "CUDA_MODULE_LOADING",
                                        "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE",
                                        "CUDA_SCALE_LAUNCH_QUEUES",
                                        "GLIBC_TUNABLES",
                                        "LD_PRELOAD",
                                        "NVCC_APPEND_FLAGS",
                                        "NVCC_PREPEND_FLAGS",
                                        "NVIDIA_TF32_OVERRIDE",
                                        "OMP_NUM_THREADS",
                                        "OPENBLAS_CORETYPE"};
    char *all;
    size_t size;
    const char *between = "";
    FILE *out = need_stream(&all, &size);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value && *value) {
            fprintf(out, "%s%s=%s", between, names[i], value);
            between = " ";
        }
    }
    fclose(out);
    put(root, "variables", json_string(all));
    free(all);
}

const struct environment_build environment_build = {.version = GEMMGATE_VERSION,
                                                    .commit = GEMMGATE_GIT_COMMIT,
                                                    .compiler = GEMMGATE_COMPILER,
                                                    .flags = GEMMGATE_FLAGS,
                                                    .cuda_compiler = GEMMGATE_CUDA_COMPILER,
                                                    .cuda_architectures =
                                                        GEMMGATE_CUDA_ARCHITECTURES};

static void put_build(json_t *root) {
    put(root, "gemmgate.version", text(environment_build.version));
    put(root, "gemmgate.git_commit", text(environment_build.commit));
    put(root, "gemmgate.compiler", text(environment_build.compiler));
    put(root, "gemmgate.flags", text(environment_build.flags));
    put(root, "gemmgate.cuda_compiler", text(environment_build.cuda_compiler));
    put(root, "gemmgate.cuda_architectures", text(environment_build.cuda_architectures));
}

json_t *environment_describe(const char *device_kind, const struct device_info *info) {
    json_t *root = json_object();
    if (strcmp(device_kind, "host") == 0)
        put_no_gpu(root, info);
    else
        put_gpu(root, info);
    put_cpu(root);
    put_system(root);
    put_variables(root);
    put_build(root);
    return root;
}
