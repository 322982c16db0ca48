#include "correctness/audit/static_audit.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "bench/base/files.h"
#include "correctness/audit/symbol_rules.h"

#define MOST_NAME 128

/* Names too ordinary to be more than a call when parentheses follow stand under `calls`. */
static const struct {
    enum finding_kind kind;
    const char *names, *calls;
} rules[] = {
    {FINDING_CUDA_STREAM,
     "cudaStreamCreate* cuStreamCreate* cudaStreamPerThread cudaStreamNonBlocking "
     "CU_STREAM_PER_THREAD CU_STREAM_NON_BLOCKING getStreamFromPool cuCtxCreate*",
     ""},
    {FINDING_CUDA_GRAPH, "cudaGraph* cuGraph* cudaStreamBeginCapture* cuStreamBeginCapture*", ""},
    {FINDING_THREAD, "std::thread std::jthread std::async pthread_create thrd_create", ""},
    {FINDING_DYNAMIC_LOADING, "dlopen dlmopen dlsym dlvsym dl_iterate_phdr", ""},
    {FINDING_MEMORY_PROTECTION, "mprotect PROT_EXEC mremap", "mmap"},
    {FINDING_PROCESS, "vfork posix_spawn posix_spawnp execve execvp execlp popen",
     "fork system clone execl execv"},
    {FINDING_RAW_SYSCALL, "SYS_clone SYS_fork", "syscall"},
    {FINDING_SIGNAL, "sigaction", "signal"},
    {FINDING_TRACE, "ptrace cudaProfilerStart cudaProfilerStop", ""},
    {FINDING_CUDA_LIMIT,
     "cudaDeviceSetLimit cuCtxSetLimit cudaStreamSetAttribute cuStreamSetAttribute "
     "accessPolicyWindow cudaLaunchAttributeAccessPolicyWindow "
     "cudaStreamAttributeAccessPolicyWindow cudaDeviceReset cudaCtxResetPersistingL2Cache "
     "cudaDeviceSetCacheConfig cudaDeviceSetSharedMemConfig",
     ""},
    {FINDING_LIBRARY_GEMM,
     "cublas* cudnn* cusparse* cusolver* cblas_* torch::matmul torch::mm torch::addmm at::matmul "
     "at::mm at::addmm",
     ""},
};

struct reader {
    const char *at, *end;
    unsigned line;
};

static void step(struct reader *r) {
    r->line += *r->at == '\n';
    r->at++;
}

static bool sees(const struct reader *r, const char *text) {
    const size_t length = strlen(text);
    return (size_t)(r->end - r->at) >= length && memcmp(r->at, text, length) == 0;
}

/* To just behind the text, or to the end. */
static void skip_past(struct reader *r, const char *text) {
    while (r->at < r->end && !sees(r, text))
        step(r);
    for (size_t i = strlen(text); i > 0 && r->at < r->end; i--)
        step(r);
}

/* To the end of the line; one that ends in a backslash goes on in the next. */
static void skip_line(struct reader *r) {
    while (r->at < r->end && *r->at != '\n') {
        if (*r->at == '\\' && r->end - r->at > 1)
            step(r);
        step(r);
    }
}

static void skip_quoted(struct reader *r) {
    const char quote = *r->at;
    step(r);
    while (r->at < r->end && *r->at != quote && *r->at != '\n') {
        if (*r->at == '\\' && r->end - r->at > 1)
            step(r);
        step(r);
    }
    if (r->at < r->end)
        step(r);
}

/* R"delimiter(...)delimiter", seen from its first quote. */
static void skip_raw(struct reader *r) {
    char close[24] = ")";
    size_t length = 1;
    step(r);
    while (r->at < r->end && *r->at != '(' && length < sizeof close - 2) {
        close[length++] = *r->at;
        step(r);
    }
    close[length] = '"';
    skip_past(r, close);
}

static bool in_name(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

static void skip_number(struct reader *r) {
    while (r->at < r->end && (in_name(*r->at) || *r->at == '.' || *r->at == '\''))
        step(r);
}

static void skip_blanks(struct reader *r) {
    while (r->at < r->end && isspace((unsigned char)*r->at))
        step(r);
}

/* Reads "one::two" and points to its last part. */
static const char *read_name(struct reader *r, char name[MOST_NAME]) {
    size_t length = 0, last = 0;
    for (;;) {
        for (; r->at < r->end && in_name(*r->at); step(r))
            if (length < MOST_NAME - 3)
                name[length++] = *r->at;
        struct reader ahead = *r;
        skip_blanks(&ahead);
        if (!sees(&ahead, "::"))
            break;
        skip_past(&ahead, "::");
        skip_blanks(&ahead);
        if (ahead.at == ahead.end || !in_name(*ahead.at))
            break;
        *r = ahead;
        if (length < MOST_NAME - 3) {
            memcpy(name + length, "::", 2);
            last = length += 2;
        }
    }
    name[length] = 0;
    return name + last;
}

static void judge_name(struct reader *r, bool member, struct finding_list *list) {
    char name[MOST_NAME];
    const unsigned line = r->line;
    const char *bare = read_name(r, name);
    struct reader ahead = *r;
    skip_blanks(&ahead);
    const bool call = ahead.at < ahead.end && *ahead.at == '(' && !member &&
                      (bare == name || strncmp(name, "std::", 5) == 0);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (symbol_in(rules[i].names, name) || symbol_in(rules[i].names, bare) ||
            (call && symbol_in(rules[i].calls, bare)))
            finding_add(list, rules[i].kind, "line %u: %s", line, name);
}

static bool is_raw_prefix(const char *name, size_t length) {
    return (length == 1 && name[0] == 'R') ||
           (length == 2 && strchr("LuU", name[0]) && name[1] == 'R') ||
           (length == 3 && memcmp(name, "u8R", 3) == 0);
}

static bool is_include(const struct reader *r) {
    struct reader ahead = *r;
    step(&ahead);
    while (ahead.at < ahead.end && (*ahead.at == ' ' || *ahead.at == '\t'))
        step(&ahead);
    return sees(&ahead, "include");
}

static void read_source(struct reader *r, struct finding_list *list) {
    char before = 0; /* the last character that is neither blank nor of a comment */
    while (r->at < r->end) {
        const char c = *r->at;
        if (sees(r, "//") || (c == '#' && is_include(r))) {
            skip_line(r);
        } else if (sees(r, "/*")) {
            r->at += 2;
            skip_past(r, "*/");
        } else if (c == '"' || c == '\'') {
            skip_quoted(r);
            before = c;
        } else if (isdigit((unsigned char)c)) {
            skip_number(r);
            before = c;
        } else if (in_name(c)) {
            size_t length = 0;
            while (r->at + length < r->end && in_name(r->at[length]))
                length++;
            if (r->at + length < r->end && r->at[length] == '"' && is_raw_prefix(r->at, length)) {
                r->at += length;
                skip_raw(r);
            } else {
                judge_name(r, before == '.', list);
            }
            before = c;
        } else {
            if (!isspace((unsigned char)c))
                before = c == '>' && before == '-' ? '.' : c; /* p->name is as o.name */
            step(r);
        }
    }
}

int static_audit_source(const char *path, struct finding_list *list) {
    struct file_bytes file;
    if (file_bytes_read(path, &file) < 0)
        return -1;
    struct reader reader = {(const char *)file.bytes, (const char *)file.bytes + file.size, 1};
    read_source(&reader, list);
    file_bytes_free(&file);
    return 0;
}
