#include "candidates/build/job.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "bench/base/hash.h"
#include "bench/base/need.h"
#include "candidates/build/build.h"

static int make_folders(char *path) {
    for (char *p = path + 1;; p++) {
        char held = *p;
        if (held != '/' && held != 0)
            continue;
        *p = 0;
        if (mkdir(path, 0777) < 0 && errno != EEXIST)
            return error("%s: %s; --cache-dir names another folder", path, strerror(errno));
        *p = held;
        if (held == 0)
            break;
    }
    char inside[PATH_MAX + 2]; /* which only a folder has */
    snprintf(inside, sizeof inside, "%s/.", path);
    if (eaccess(inside, W_OK | X_OK) < 0)
        return error("%s: %s; --cache-dir names another folder", path, strerror(errno));
    return 0;
}

int cache_open(struct builder *builder) {
    return cache_folder(builder->options->cache, builder->cache) < 0 ? -1
                                                                     : make_folders(builder->cache);
}

int cache_file(const struct builder *builder, const struct job *job, const char *suffix,
               char path[PATH_MAX]) {
    char name[64];
    snprintf(name, sizeof name, "%s%s", job->key, suffix);
    return files_join(path, builder->cache, name);
}

static char *wrapper_text(const struct builder *builder, const struct job *job) {
    char *text;
    size_t size;
    FILE *out = need_stream(&text, &size);
    compiler_write_wrapper(out, builder, job, job->candidate->file);
    fclose(out);
    return text;
}

/* The key: what is compiled, by what and how. No path counts: what lies in folders is compared when
 * the entry is used. The file's name keeps the jobs of one pool apart. */
void cache_make_key(struct builder *builder, struct job *job, const char *version) {
    const char *strings[JOB_ARGUMENTS + HEADERS_WORDS + 8];
    char *wrapper = NULL;
    int n = 0, used;
    strings[n++] = job->candidate->source_hash;
    strings[n++] = job->candidate->file;
    strings[n++] = version;
    for (int i = 0; job->arguments[i]; i += used)
        if (!headers_flag(job->arguments + i, &used))
            strings[n++] = job->arguments[i];
    for (int i = 0; i < builder->headers.word_count; i++)
        strings[n++] = builder->headers.words[i];
    if (job->candidate->call)
        strings[n++] = wrapper = wrapper_text(builder, job);
    strings[n] = NULL;
    hash_strings(strings, job->key);
    free(wrapper);
}

/* Where a library lies: VARIANT tells what headers it was compiled with. */
static int name_library(const struct builder *builder, struct job *job, const char *variant) {
    if (snprintf(job->built->so, sizeof job->built->so, "%s/%s-%s.so", builder->cache, job->key,
                 variant) >= (int)sizeof job->built->so)
        return error("%s: the cache's path is too long", builder->cache);
    return 0;
}

/* Of "HASH VARIANT": whether that library is what it was. */
static bool library_is_current(const struct builder *builder, struct job *job, char *text) {
    char hash[33], *variant = strchr(text, ' ');
    if (!variant || strspn(variant + 1, "0123456789abcdef") != 32 || variant[33])
        return false;
    *variant++ = 0;
    return name_library(builder, job, variant) == 0 &&
           hash_file_quietly(job->built->so, hash) == 0 && strcmp(hash, text) == 0;
}

static bool header_is_current(const struct builder *builder, const char *wanted, const char *name) {
    char path[PATH_MAX], hash[33];
    return headers_find(&builder->headers, name, path) && hash_header(path, hash) == 0 &&
           strcmp(hash, wanted) == 0;
}

/* KEY.deps: for each library, the latest first, "cost SECONDS BYTES", "so HASH VARIANT" and then
 * "HASH NAME" a header. Returns whether one and all of its headers are what they were; costs are
 * read either way. */
bool cache_find(const struct builder *builder, struct job *job) {
    char deps[PATH_MAX], line[HEADERS_NAME + 64];
    bool current = false;
    if (cache_file(builder, job, ".deps", deps) < 0)
        return false;
    FILE *file = fopen(deps, "r");
    if (!file)
        return false;
    while (fgets(line, sizeof line, file)) {
        char *rest = strchr(line, ' ');
        line[strcspn(line, "\n")] = 0;
        if (!rest) {
            current = false;
            break;
        }
        *rest++ = 0;
        if (strcmp(line, "cost") == 0) {
            if (current) /* to the end of its headers */
                break;
            if (sscanf(rest, "%lf %lf", &job->known_seconds, &job->bytes) != 2)
                job->known_seconds = 0;
        } else if (strcmp(line, "so") == 0) {
            current = library_is_current(builder, job, rest);
        } else if (current) {
            current = header_is_current(builder, line, rest);
        }
    }
    fclose(file);
    return current;
}

/* Writes the line of one header that the compiler has listed. Returns 0, or 1 with the result's
 * message: a set's own flags can put anything into the list. */
static int write_header(const struct builder *builder, struct job *job, const char *path,
                        FILE *out) {
    char name[HEADERS_NAME], hash[33];
    if (strcmp(path, job->source) == 0 || strcmp(path, job->candidate->path) == 0 ||
        strcmp(path, CALL_INI) == 0 || strcmp(path, CALL_WRAPPER) == 0)
        return 0; /* the key has them */
    if (!headers_name(&builder->headers, path, name))
        return 0; /* the compiler's version stands for them */
    if (hash_header(path, hash) == 0) {
        fprintf(out, "%s %s\n", hash, name);
        return 0;
    }
    snprintf(job->built->message, sizeof job->built->message,
             "%.1500s, which the compiler lists as a header, cannot be read: %s", path,
             files_explain(errno));
    return 1;
}

/* Turns the compiler's make rule into lines "HASH NAME" for every header. In the rule a backslash
 * before a newline goes on, before a blank it keeps the blank; a dollar sign is written twice.
 * Returns 0, 1 with the result's message, or -1. */
static int write_headers(const struct builder *builder, const char *rule_path, struct job *job,
                         FILE *out) {
    FILE *rule = fopen(rule_path, "r");
    char path[PATH_MAX];
    size_t n = 0;
    bool prerequisites = false;
    int status = 0;
    if (!rule)
        return -1;
    for (int c = fgetc(rule), ended = 0; status == 0 && !ended; c = fgetc(rule)) {
        ended = c == EOF;
        if (c == '\\') {
            c = fgetc(rule);
            if (c == '\n')
                c = ' ';
            else if (n + 1 < sizeof path) {
                path[n++] = (char)c;
                continue;
            }
        }
        if (c == '$' && (c = fgetc(rule)) != '$') {
            ungetc(c, rule);
            c = '$';
        }
        if (!ended && c != ' ' && c != '\n' && c != '\t') {
            if (n + 1 < sizeof path)
                path[n++] = (char)c;
            continue;
        }
        path[n] = 0;
        if (n > 0 && prerequisites)
            status = write_header(builder, job, path, out);
        if (n > 0 && path[n - 1] == ':')
            prerequisites = true;
        else if (n == 0 && c == ':')
            prerequisites = true;
        n = 0;
    }
    fclose(rule);
    return status;
}

/* A compiler that was taken over may have left a link or a pipe. */
static bool is_file(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* How many libraries KEY.deps keeps: the same words are compiled with other headers by turns where
 * two releases are compared. */
#define KEPT_VARIANTS 4

/* Copies what KEY.deps says of other libraries than this one. */
static void copy_others(const char *deps, const char *variant, FILE *out) {
    char line[HEADERS_NAME + 64], cost[128] = "";
    FILE *in = fopen(deps, "r");
    bool keeps = false;
    int kept = 1;
    while (in && fgets(line, sizeof line, in)) {
        if (strncmp(line, "cost ", 5) == 0) {
            snprintf(cost, sizeof cost, "%.120s", line);
            keeps = false;
        } else if (strncmp(line, "so ", 3) == 0) {
            keeps = !strstr(line, variant) && kept < KEPT_VARIANTS;
            kept += keeps;
            if (keeps)
                fprintf(out, "%s%s", cost, line);
        } else if (keeps) {
            fputs(line, out);
        }
    }
    if (in)
        fclose(in);
}

/* Writes what is to be KEY.deps, and names the library. Returns 0, 1 with the result's message, or
 * -1 after error(). */
static int write_deps(const struct builder *builder, struct job *job, const char *rule,
                      const char *old_deps, double bytes, FILE *out) {
    char so[PATH_MAX], hash[33], variant[33], *lines = NULL;
    size_t size;
    if (files_join(so, job->scratch, "kernel.so") < 0 || hash_file(so, hash) < 0)
        return -1;
    FILE *memory = need_stream(&lines, &size);
    const int status = write_headers(builder, rule, job, memory);
    fclose(memory);
    if (status < 0) {
        free(lines);
        return error("%s: it cannot be read", rule);
    }
    const char *strings[] = {job->key, lines, NULL};
    hash_strings(strings, variant);
    fprintf(out, "cost %.3f %.0f\nso %s %s\n%s", job->built->seconds, bytes, hash, variant, lines);
    copy_others(old_deps, variant, out);
    free(lines);
    return status == 0 && name_library(builder, job, variant) < 0 ? -1 : status;
}

/* Moves a finished library into the cache. The deps come last: without them there is no entry. */
int cache_publish(const struct builder *builder, struct job *job, double bytes) {
    char so[PATH_MAX], rule[PATH_MAX], part[PATH_MAX], deps[PATH_MAX];
    if (files_join(so, job->scratch, "kernel.so") < 0 ||
        files_join(rule, job->scratch, "kernel.d") < 0 || files_join(part, job->part, "deps") < 0 ||
        cache_file(builder, job, ".deps", deps) < 0)
        return -1;
    if (!is_file(so) || !is_file(rule)) {
        snprintf(job->built->message, sizeof job->built->message,
                 "%.1000s ended well and left no library, or no list of headers", job->compiler);
        return 0;
    }
    FILE *out = fopen(part, "w");
    if (!out)
        return error("%s: %s", part, strerror(errno));
    const int status = write_deps(builder, job, rule, deps, bytes, out);
    const int fault = ferror(out) | fclose(out);
    if (status < 0)
        return -1;
    if (fault || (status == 0 && (rename(so, job->built->so) < 0 || rename(part, deps) < 0)))
        return error("%s: the compiled kernel cannot be kept: %s", builder->cache, strerror(errno));
    if (status == 0)
        job->built->outcome = BUILD_OK;
    return status == 0 ? cache_link_given(job) : 0;
}

/* The link beside the library of that name. */
static int link_given(const char *so, const char *given) {
    char link[PATH_MAX], part[PATH_MAX + 32];
    if (snprintf(link, sizeof link, "%s" CALL_GIVEN_SUFFIX, so) >= (int)sizeof link)
        return error("%s: the path is too long", so);
    snprintf(part, sizeof part, "%s.%d.part", link, (int)getpid());
    unlink(part); /* of a builder that was killed */
    if (symlink(given, part) < 0 || rename(part, link) < 0)
        return error("%s: %s", link, strerror(errno));
    return 0;
}

int cache_link_given(const struct job *job) {
    return *job->built->given ? link_given(job->built->so, job->built->given) : 0;
}

/* Gives the library a file of its own, a copy: the loader takes two names of one file for one. */
static int set_apart(const struct builder *builder, struct built *built) {
    char own[sizeof built->so], part[PATH_MAX], hash[33], old[33];
    if (snprintf(own, sizeof own, "%.*s.apart.so", (int)(strlen(built->so) - strlen(".so")),
                 built->so) >= (int)sizeof own ||
        snprintf(part, sizeof part, "%s.%s.part", own, builder->maker) >= (int)sizeof part)
        return error("%s: the path is too long", built->so);
    if (hash_file(built->so, hash) < 0)
        return -1;
    if (hash_file_quietly(own, old) < 0 || strcmp(old, hash) != 0) {
        if (files_copy(built->so, part) < 0 || rename(part, own) < 0) {
            unlink(part);
            return error("%s: it cannot be copied: %s", built->so, strerror(errno));
        }
    }
    memcpy(built->so, own, sizeof own);
    return *built->given ? link_given(own, built->given) : 0;
}

int cache_set_apart(const struct builder *builder, struct built *results) {
    for (size_t i = 0; i < builder->set->count; i++)
        if (results[i].outcome == BUILD_OK && results[i].in_cache &&
            set_apart(builder, &results[i]) < 0)
            return -1;
    return 0;
}

int cache_folder(const char *option, char folder[PATH_MAX]) {
    const char *given = option ? option : getenv("GEMMGATE_CACHE");
    const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int status;
    if (given && *given)
        status = snprintf(folder, PATH_MAX, "%s", given);
    else if (xdg && *xdg)
        status = snprintf(folder, PATH_MAX, "%s/gemmgate", xdg);
    else if (home && *home)
        status = snprintf(folder, PATH_MAX, "%s/.cache/gemmgate", home);
    else
        return error("no place for compiled kernels: give --cache-dir DIR or set GEMMGATE_CACHE");
    return status >= PATH_MAX ? error("the path of the cache is too long") : 0;
}
