#include "bench/run/environment.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "bench/base/need.h"
#include "bench/device/nvml.h"
#include "git_commit.h"

/* The manifest being made. */
struct run_manifest {
    json_t *root, *missing;
};

/* Puts value at a dotted path and takes it over; NULL is null with the reason. */
static void put(struct run_manifest *record, const char *path, json_t *value, const char *reason) {
    json_t *at = record->root;
    const char *name = path, *dot;
    for (; (dot = strchr(name, '.')); name = dot + 1) {
        char member[32];
        snprintf(member, sizeof member, "%.*s", (int)(dot - name), name);
        if (!json_object_get(at, member))
            json_object_set_new(at, member, json_object());
        at = json_object_get(at, member);
    }
    if (!value)
        json_object_set_new(record->missing, path, json_string(reason));
    json_object_set_new(at, name, value ? value : json_null());
}

static json_t *text(const char *value) {
    return *value ? json_string(value) : NULL;
}

static json_t *count(int64_t value) {
    return value >= 0 ? json_integer(value) : NULL;
}

static const char device_silent[] = "the device does not tell";

static void put_gpu_state(struct run_manifest *record, const struct nvml_state *state) {
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
        int64_t value = state->value[i];
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
        put(record, members[i].path, json, state->why[i]);
    }
}

static void put_nvml(struct run_manifest *record, const struct device_info *info) {
    struct nvml_state state;
    char driver[80] = "";
    const char *why = NULL;
    struct nvml *nvml = nvml_open(info->uuid, info->pci, &why);
    if (nvml) {
        nvml_read(nvml, &state);
        nvml_driver(nvml, driver, &why);
    } else {
        for (int i = 0; i < NVML_FIELDS; i++) {
            state.value[i] = -1;
            state.why[i] = why;
        }
    }
    put_gpu_state(record, &state);
    put(record, "driver", text(driver), why);
    nvml_close(nvml);
}

static void put_gpu(struct run_manifest *record, const struct device_info *info) {
    put(record, "gpu.name", text(info->name), device_silent);
    put(record, "gpu.uuid", text(info->uuid), device_silent);
    put(record, "gpu.pci", text(info->pci), device_silent);
    put(record, "gpu.sm", count(info->sm), device_silent);
    put(record, "gpu.memory_bytes", count(info->memory_bytes), device_silent);
    put(record, "gpu.l2_bytes", count(info->l2_bytes), device_silent);
    put(record, "gpu.multiprocessors", count(info->units), device_silent);
    put_nvml(record, info);
    put(record, "cuda.driver", count(info->driver), device_silent);
    put(record, "cuda.runtime", count(info->runtime), device_silent);
    put(record, "cuda.cublas", count(info->cublas), device_silent);
    put(record, "cuda.cublaslt", count(info->cublaslt), device_silent);
    put(record, "openblas", NULL, "not used on this device but for the reference");
}

static void put_no_gpu(struct run_manifest *record, const struct device_info *info) {
    static const char reason[] = "host device";
    put(record, "gpu", NULL, reason);
    put(record, "driver", NULL, reason);
    put(record, "cuda", NULL, reason);
    put(record, "openblas", text(info->blas), device_silent);
}

/* What follows "key<separator>" in the first line of the file that begins so, without quotes or
 * white space around it; "" where there is none. key "": the first line. */
static void file_value(const char *file, const char *key, char separator, char *value,
                       size_t size) {
    char *line = NULL;
    size_t room = 0;
    FILE *in = fopen(file, "r");
    *value = 0;
    while (in && !*value && getline(&line, &room, in) >= 0) {
        char *from = line;
        if (*key) {
            from = strchr(line, separator);
            if (!from || strncmp(line, key, strlen(key)) != 0 ||
                strspn(line + strlen(key), " \t") != (size_t)(from - line) - strlen(key))
                continue;
            from++;
        }
        from += strspn(from, " \t\"");
        size_t length = strlen(from);
        while (length > 0 && strchr(" \t\"\n", from[length - 1]))
            length--;
        snprintf(value, size, "%.*s", (int)length, from);
    }
    free(line);
    if (in)
        fclose(in);
}

/* Which of the instruction sets that matter to half-precision products the CPU has. */
static json_t *cpu_flags(void) {
    static const char *const wanted[] = {"f16c",        "fma",         "avx2",
                                         "avx512f",     "avx512_fp16", "avx512_bf16",
                                         "avx512_vnni", "amx_tile",    NULL};
    char line[8192];
    file_value("/proc/cpuinfo", "flags", ':', line, sizeof line);
    if (!*line)
        return NULL;
    json_t *list = json_array();
    for (char *rest = line, *word; (word = strsep(&rest, " "));)
        for (int i = 0; wanted[i]; i++)
            if (strcmp(word, wanted[i]) == 0)
                json_array_append_new(list, json_string(word));
    return list;
}

static void put_cpu(struct run_manifest *record) {
    char value[256];
    cpu_set_t set;
    bool known = sched_getaffinity(0, sizeof set, &set) == 0;
    file_value("/proc/cpuinfo", "model name", ':', value, sizeof value);
    put(record, "cpu.model", text(value), "/proc/cpuinfo has no model name");
    put(record, "cpu.cores_online", count(sysconf(_SC_NPROCESSORS_ONLN)), "sysconf does not tell");
    put(record, "cpu.cores_allowed", count(known ? CPU_COUNT(&set) : -1),
        "sched_getaffinity does not tell");
    file_value("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "", 0, value, sizeof value);
    put(record, "cpu.governor", text(value), "no cpufreq in /sys: a virtual machine or container");
    put(record, "cpu.flags", cpu_flags(), "/proc/cpuinfo has no flags");
}

static void put_system(struct run_manifest *record) {
    int64_t pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    struct utsname system;
    bool known = uname(&system) == 0;
    char value[256];
    double load[3];
    put(record, "memory_bytes", count(pages > 0 ? pages * page : -1), "sysconf does not tell");
    put(record, "os.kernel", known ? json_sprintf("%s %s", system.sysname, system.release) : NULL,
        "uname failed");
    put(record, "os.build", known ? json_string(system.version) : NULL, "uname failed");
    put(record, "os.machine", known ? json_string(system.machine) : NULL, "uname failed");
    file_value("/etc/os-release", "PRETTY_NAME", '=', value, sizeof value);
    put(record, "os.distribution", text(value), "/etc/os-release has no PRETTY_NAME");
    put(record, "load_average",
        environment_load(load) == 0 ? json_pack("[f, f, f]", load[0], load[1], load[2]) : NULL,
        "getloadavg failed");
}

/* The environment variables that change what is compiled or measured, those that are set, as
 * "NAME=VALUE NAME=VALUE". */
static void put_variables(struct run_manifest *record) {
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
    put(record, "variables", json_string(all), "not UTF-8");
    free(all);
}

const struct environment_build environment_build = {.version = GEMMGATE_VERSION,
                                                    .commit = GEMMGATE_GIT_COMMIT,
                                                    .compiler = GEMMGATE_COMPILER,
                                                    .flags = GEMMGATE_FLAGS,
                                                    .cuda_compiler = GEMMGATE_CUDA_COMPILER,
                                                    .cuda_architectures =
                                                        GEMMGATE_CUDA_ARCHITECTURES};

static void put_build(struct run_manifest *record) {
    static const char no_cuda[] = "built without CUDA";
    put(record, "gemmgate.version", text(environment_build.version), "");
    put(record, "gemmgate.git_commit", text(environment_build.commit),
        "not built from a git checkout that git could read");
    put(record, "gemmgate.compiler", text(environment_build.compiler), "");
    put(record, "gemmgate.flags", text(environment_build.flags), "none");
    put(record, "gemmgate.cuda_compiler", text(environment_build.cuda_compiler), no_cuda);
    put(record, "gemmgate.cuda_architectures", text(environment_build.cuda_architectures), no_cuda);
}

json_t *environment_describe(const char *device_kind, const struct device_info *info) {
    struct run_manifest record = {.root = json_object(), .missing = json_object()};
    if (strcmp(device_kind, "host") == 0)
        put_no_gpu(&record, info);
    else
        put_gpu(&record, info);
    put_cpu(&record);
    put_system(&record);
    put_variables(&record);
    put_build(&record);
    json_object_set_new(record.root, "missing", record.missing);
    return record.root;
}

int environment_load(double minutes_1_5_15[3]) {
    return getloadavg(minutes_1_5_15, 3) == 3 ? 0 : -1;
}
