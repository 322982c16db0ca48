/* What candidates do to CUDA still works when they are locked in; exits 77 where there is no GPU.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <cublas_v2.h>
#include <cuda_runtime_api.h>

#include "bench/base/error.h"
#include "bench/process/landlock.h"
#include "bench/process/sandbox.h"
#include "tests/support/scratch.h"

#define NEED(call) assert_int_equal((call), 0)

enum { SIDE = 256, BYTES = SIDE * SIDE * 2 };
static uint16_t *a, *b, *c;
static struct sandbox_report report;

static void multiply(cublasHandle_t handle, cublasComputeType_t type) {
    const float one_f32 = 1, zero_f32 = 0;
    const uint16_t one_f16 = 0x3c00, zero_f16 = 0;
    const bool f16 = type == CUBLAS_COMPUTE_16F;
    NEED(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, SIDE, SIDE, SIDE,
                      f16 ? (const void *)&one_f16 : &one_f32, a, CUDA_R_16F, SIDE, b, CUDA_R_16F,
                      SIDE, f16 ? (const void *)&zero_f16 : &zero_f32, c, CUDA_R_16F, SIDE, type,
                      CUBLAS_GEMM_DEFAULT));
    NEED(cudaDeviceSynchronize());
}

/* As the runner does it: the device is open and a baseline has run. */
static int enter(void **state) {
    (void)state;
    const struct sandbox_limits limits = {
        .memory_bytes = 8ull << 30, .file_bytes = 1ull << 30, .descriptors = 1024, .cpu_s = 600};
    cublasHandle_t handle;
    NEED(cudaMalloc((void **)&a, BYTES));
    NEED(cudaMalloc((void **)&b, BYTES));
    NEED(cudaMalloc((void **)&c, BYTES));
    NEED(cudaMemset(a, 0x3c, BYTES));
    NEED(cudaMemset(b, 0x3c, BYTES));
    NEED(cublasCreate(&handle));
    multiply(handle, CUBLAS_COMPUTE_32F);
    NEED(cublasDestroy(handle));
    const int status = sandbox_enter(SANDBOX_RUNNER, scratch_path(""), &limits, &report);
    print_message("seccomp %d, Landlock ABI %d; missing: %s\n", report.seccomp, landlock_abi(),
                  report.missing);
    return status;
}

static void it_is_locked(void **state) {
    (void)state;
    if (!report.seccomp)
        skip();
    assert_int_equal(socket(AF_INET, SOCK_STREAM, 0), -1);
    assert_int_equal(errno, EPERM);
}

static void every_kind_of_memory(void **state) {
    void *p;
    (void)state;
    NEED(cudaMalloc(&p, 1u << 30));
    NEED(cudaMemset(p, 1, 1u << 30));
    NEED(cudaFree(p));
    NEED(cudaMallocHost(&p, 256u << 20));
    memset(p, 1, 256u << 20);
    NEED(cudaFreeHost(p));
    NEED(cudaMallocManaged(&p, 64u << 20, cudaMemAttachGlobal));
    memset(p, 1, 64u << 20);
    NEED(cudaMemset(p, 2, 64u << 20));
    NEED(cudaDeviceSynchronize());
    NEED(cudaFree(p));
    NEED(cudaMallocAsync(&p, 64u << 20, 0));
    NEED(cudaFreeAsync(p, 0));
    p = malloc(1u << 20);
    NEED(cudaHostRegister(p, 1u << 20, cudaHostRegisterDefault));
    NEED(cudaHostUnregister(p));
    free(p);
}

static void cublas_set_up_by_the_candidate(void **state) {
    cublasHandle_t handle;
    uint16_t got;
    (void)state;
    NEED(cublasCreate(&handle));
    multiply(handle, CUBLAS_COMPUTE_16F);
    multiply(handle, CUBLAS_COMPUTE_32F);
    NEED(cublasDestroy(handle));
    NEED(cudaMemcpy(&got, c, sizeof got, cudaMemcpyDeviceToHost));
    assert_int_equal(got, 0x5c7c); /* 287: 256 * 1.05859375^2 = 286.88 */
}

static void CUDART_CB set_flag(void *flag) {
    *(int *)flag = 1;
}

static void streams_events_graphs(void **state) {
    cudaStream_t stream;
    cudaEvent_t start, stop;
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    float ms = -1;
    int called = 0;
    (void)state;
    NEED(cudaStreamCreate(&stream));
    NEED(cudaEventCreate(&start));
    NEED(cudaEventCreateWithFlags(&stop, cudaEventBlockingSync));
    NEED(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    NEED(cudaMemsetAsync(c, 0, BYTES, stream));
    NEED(cudaStreamEndCapture(stream, &graph));
    NEED(cudaGraphInstantiate(&ready, graph, 0));
    NEED(cudaEventRecord(start, stream));
    NEED(cudaGraphLaunch(ready, stream));
    NEED(cudaLaunchHostFunc(stream, set_flag, &called));
    NEED(cudaEventRecord(stop, stream));
    NEED(cudaEventSynchronize(stop));
    NEED(cudaEventElapsedTime(&ms, start, stop));
    assert_true(ms >= 0 && called);
    NEED(cudaGraphExecDestroy(ready));
    NEED(cudaGraphDestroy(graph));
    NEED(cudaStreamDestroy(stream));
    NEED(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 64u << 20));
}

static void *copy_back(void *word) {
    return (void *)(intptr_t)cudaMemcpy(word, a, 2, cudaMemcpyDeviceToHost);
}

static void a_thread(void **state) {
    pthread_t thread;
    void *status = NULL;
    uint16_t word = 0;
    (void)state;
    NEED(pthread_create(&thread, NULL, copy_back, &word));
    NEED(pthread_join(thread, &status));
    assert_null(status);
    assert_int_equal(word, 0x3c3c);
}

/* The driver's compiler, and its cache, which cannot be written now. */
static void compiled_at_load(void **state) {
    static const char ptx[] = ".version 7.0\n.target sm_80\n.address_size 64\n"
                              ".visible .entry nothing() { ret; }\n";
    (void)state;
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    assert_non_null(driver);
    int (*load)(void **, const void *), (*unload)(void *), (*find)(void **, void *, const char *);
    int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                  void *, void **, void **);
    *(void **)&load = dlsym(driver, "cuModuleLoadData");
    *(void **)&find = dlsym(driver, "cuModuleGetFunction");
    *(void **)&launch = dlsym(driver, "cuLaunchKernel");
    *(void **)&unload = dlsym(driver, "cuModuleUnload");
    assert_true(load && find && launch && unload);
    void *module, *kernel;
    NEED(load(&module, ptx));
    NEED(find(&kernel, module, "nothing"));
    NEED(launch(kernel, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    NEED(cudaDeviceSynchronize());
    NEED(unload(module));
    NEED(dlclose(driver));
}

static int locked_in(void) {
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0)
        return EXIT_NO_DEVICE;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_locked),
        cmocka_unit_test(every_kind_of_memory),
        cmocka_unit_test(cublas_set_up_by_the_candidate),
        cmocka_unit_test(streams_events_graphs),
        cmocka_unit_test(a_thread),
        cmocka_unit_test(compiled_at_load),
    };
    return cmocka_run_group_tests(tests, enter, NULL);
}

/* Who is locked in cannot remove the scratch folder. */
int main(void) {
    int status = -1;
    if (scratch_make(NULL) < 0)
        return 1;
    pid_t pid = fork();
    if (pid == 0)
        exit(locked_in());
    if (pid < 0 || waitpid(pid, &status, 0) != pid || scratch_remove(NULL) != 0)
        return 1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
