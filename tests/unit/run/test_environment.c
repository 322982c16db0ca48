
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/device/nvml.h"
#include "bench/run/environment.h"
#include "git_commit.h"
#include "tests/support/test.h"

/* Loading the stand-in first makes it the libnvidia-ml.so.1 that nvml.c finds. */
static int (*fake_opened)(void);

static int load_fake(void **state) {
    (void)state;
    void *fake = dlopen(FAKE_NVML, RTLD_NOW | RTLD_LOCAL);
    if (fake)
        fake_opened = (int (*)(void))dlsym(fake, "fake_nvml_opened");
    return fake_opened ? 0 : -1;
}

/* The value at a dotted path; every member on the way must be there. */
static const json_t *at(const json_t *json, const char *path) {
    char member[64];
    for (const char *dot; *path; path = *dot ? dot + 1 : dot) {
        dot = path + strcspn(path, ".");
        snprintf(member, sizeof member, "%.*s", (int)(dot - path), path);
        json = json_object_get(json, member);
        if (!json)
            fail_msg("no member %s", path);
    }
    return json;
}

static void is_unknown(const json_t *manifest, const char *path) {
    assert_true(json_is_null(at(manifest, path)));
}

static const struct device_info host = {
    .name = "host", .memory_bytes = 1, .units = 2, .sm = -1, .blas = "OpenBLAS 9.9"};
static const struct device_info cuda = {.name = "Fake H1",
                                        .uuid = "GPU-fake",
                                        .pci = "00000000:01:00.0",
                                        .memory_bytes = 150000000000,
                                        .units = 132,
                                        .sm = 90,
                                        .l2_bytes = -1,
                                        .driver = 13000,
                                        .runtime = 12090,
                                        .cublas = 130100,
                                        .cublaslt = 130101};

TEST(host_has_no_gpu) {
    json_t *manifest = environment_describe("host", &host);
    assert_non_null(manifest);
    is_unknown(manifest, "gpu");
    is_unknown(manifest, "driver");
    is_unknown(manifest, "cuda");
    assert_string_equal(json_string_value(at(manifest, "openblas")), "OpenBLAS 9.9");
    json_decref(manifest);
}

/* The first line that the command prints; "" for none. */
static const char *system_says(const char *command) {
    static char line[4096];
    FILE *out = popen(command, "r");
    assert_non_null(out);
    if (!fgets(line, sizeof line, out))
        *line = 0;
    pclose(out);
    line[strcspn(line, "\n")] = 0;
    return line;
}

/* Where it says nothing the member is null. */
static void is_as_the_system_says(const json_t *manifest, const char *path, const char *command) {
    const char *said = system_says(command), *value = json_string_value(at(manifest, path));
    if (!*said)
        assert_null(value);
    else if (!value || strcmp(value, said) != 0)
        fail_msg("%s is %s; the system says %s", path, value ? value : "null", said);
}

TEST(machine_and_build_are_described) {
    static const char *const words[] = {"os.kernel", "os.machine", "gemmgate.version",
                                        "gemmgate.compiler", "gemmgate.flags"};
    json_t *manifest = environment_describe("host", &host);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        assert_true(json_string_length(at(manifest, words[i])) > 0);
    json_int_t online = json_integer_value(at(manifest, "cpu.cores_online"));
    json_int_t allowed = json_integer_value(at(manifest, "cpu.cores_allowed"));
    assert_true(allowed >= 1 && allowed <= online);
    assert_int_equal(allowed,
                     atoi(system_says("env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc")));
    assert_int_equal(online, atoi(system_says("getconf _NPROCESSORS_ONLN")));
    const long long pages = atoll(system_says("getconf _PHYS_PAGES"));
    assert_true(json_integer_value(at(manifest, "memory_bytes")) ==
                pages * atoll(system_says("getconf PAGESIZE")));
    assert_int_equal(json_array_size(at(manifest, "load_average")), 3);
    is_as_the_system_says(manifest, "cpu.model",
                          "sed -n 's/^model name[ \t]*: //p' /proc/cpuinfo | head -n 1");
    is_as_the_system_says(manifest, "cpu.governor",
                          "cat /sys/devices/system/cpu/cpu0/cpufreq/scaling_governor 2>/dev/null");
    is_as_the_system_says(
        manifest, "os.distribution",
        "[ ! -e /etc/os-release ] || (. /etc/os-release && echo \"$PRETTY_NAME\")");
    is_as_the_system_says(manifest, "os.kernel", "uname -sr");
    is_as_the_system_says(manifest, "os.build", "uname -v");
    is_as_the_system_says(manifest, "os.machine", "uname -m");
    const char *commit = json_string_value(at(manifest, "gemmgate.git_commit"));
    const size_t digits = commit ? strspn(commit, "0123456789abcdef") : 0;
    assert_true(!commit || (digits == 40 && (!commit[40] || strcmp(commit + 40, "-dirty") == 0)));
    is_as_the_system_says(manifest, "gemmgate.git_commit", "echo " GEMMGATE_GIT_COMMIT);
    json_decref(manifest);
}

TEST(variables_that_matter_are_recorded) {
    unsetenv("CUDA_LAUNCH_BLOCKING");
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", "1", 1);
    setenv("OPENBLAS_CORETYPE", "ZEN", 1);
    setenv("OMP_NUM_THREADS", "", 1);       /* as good as unset */
    setenv("CUDA_VISIBLE_DEVICES", "2", 1); /* which of several alike is no matter */
    json_t *manifest = environment_describe("host", &host);
    const char *variables = json_string_value(at(manifest, "variables"));
    assert_non_null(strstr(variables, "CUDA_DEVICE_MAX_CONNECTIONS=1"));
    assert_non_null(strstr(variables, " OPENBLAS_CORETYPE=ZEN"));
    assert_null(strstr(variables, "BLOCKING"));
    assert_null(strstr(variables, "OMP"));
    assert_null(strstr(variables, "VISIBLE"));
    assert_true(*variables != ' ');
    json_decref(manifest);
    unsetenv("CUDA_DEVICE_MAX_CONNECTIONS");
    unsetenv("OPENBLAS_CORETYPE");
    unsetenv("OMP_NUM_THREADS");
    unsetenv("CUDA_VISIBLE_DEVICES");
}

TEST(gpu_is_described_with_what_nvml_knows) {
    json_t *manifest = environment_describe("cuda", &cuda);
    assert_non_null(manifest);
    assert_string_equal(json_string_value(at(manifest, "gpu.name")), "Fake H1");
    assert_int_equal(json_integer_value(at(manifest, "gpu.sm")), 90);
    assert_int_equal(json_integer_value(at(manifest, "gpu.multiprocessors")), 132);
    is_unknown(manifest, "gpu.l2_bytes");
    assert_int_equal(json_integer_value(at(manifest, "cuda.runtime")), 12090);
    assert_int_equal(json_integer_value(at(manifest, "cuda.cublaslt")), 130101);
    assert_string_equal(json_string_value(at(manifest, "driver")), "580.65.06");
    assert_int_equal(json_integer_value(at(manifest, "gpu.clocks.sm_mhz")), 1001);
    assert_int_equal(json_integer_value(at(manifest, "gpu.clocks.memory_mhz")), 1002);
    assert_int_equal(json_integer_value(at(manifest, "gpu.clocks.sm_max_mhz")), 2001);
    assert_int_equal(json_integer_value(at(manifest, "gpu.clocks.memory_max_mhz")), 2002);
    is_unknown(manifest, "gpu.clocks.sm_application_mhz");
    assert_true(json_real_value(at(manifest, "gpu.power_limit_w")) == 700);
    assert_true(json_real_value(at(manifest, "gpu.power_w")) == 98.765);
    assert_int_equal(json_integer_value(at(manifest, "gpu.temperature_c")), 41);
    assert_string_equal(json_string_value(at(manifest, "gpu.throttle_reasons")),
                        "power cap, hardware thermal");
    assert_true(json_is_true(at(manifest, "gpu.ecc")));
    assert_true(json_is_false(at(manifest, "gpu.mig")));
    is_unknown(manifest, "gpu.persistence");
    json_decref(manifest);
    assert_int_equal(fake_opened(), 0);
}

TEST(unknown_gpu_costs_no_more_than_its_state) {
    struct device_info other = cuda;
    strcpy(other.uuid, "GPU-other");
    strcpy(other.pci, "");
    json_t *manifest = environment_describe("cuda", &other);
    assert_string_equal(json_string_value(at(manifest, "gpu.name")), "Fake H1");
    is_unknown(manifest, "gpu.clocks.sm_mhz");
    is_unknown(manifest, "driver");
    json_decref(manifest);
    assert_int_equal(fake_opened(), 0);
}

TEST(load_average_is_told) {
    json_t *manifest = environment_describe("host", &(struct device_info){0});
    const json_t *load = at(manifest, "load_average");
    assert_int_equal(json_array_size(load), 3);
    assert_true(json_number_value(json_array_get(load, 0)) >= 0);
    json_decref(manifest);
}

TESTS_BETWEEN(load_fake, NULL)
