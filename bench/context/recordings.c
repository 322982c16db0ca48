#include "bench/context/recordings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/base/error.h"
#include "bench/base/files.h"

static const char *const whose[UNIT_KERNELS] = {"candidate", "previous"};

/* "units/.ID.candidate.recording" of the run's folder. */
static void name_file(const struct unit_context *context, int which, char name[UNIT_ID + 64]) {
    char id[UNIT_ID];
    snprintf(name, UNIT_ID + 64, "units/.%s.%s.recording", unit_id(context->unit, id),
             whose[which]);
}

static int store_recording(const struct unit_context *context, int which) {
    const struct recorded *recorded = &context->recorded[which];
    struct file file;
    char name[UNIT_ID + 64];
    name_file(context, which, name);
    if (file_open(&file, context->session->run, name) < 0)
        return -1;
    fwrite(recorded->bytes, 1, recorded->size, file.stream);
    return file_commit(&file);
}

json_t *recordings_store(struct unit_context *context) {
    json_t *list = json_array();
    for (int i = 0; i < UNIT_KERNELS; i++) {
        struct recorded *r = &context->recorded[i];
        if (!r->bytes)
            continue;
        if (!r->stored && store_recording(context, i) < 0) {
            json_decref(list);
            return NULL;
        }
        r->stored = true;
        json_array_append_new(list,
                              json_pack("{s:i, s:[I, I, I], s:i, s:i, s:I}", "whose", i, "padded",
                                        (json_int_t)r->padded.m, (json_int_t)r->padded.n,
                                        (json_int_t)r->padded.k, "operands", (int)r->operands,
                                        "calls", r->calls, "bytes", (json_int_t)r->size));
    }
    return list;
}

static int fetch(struct unit_context *context, int which, const struct recorded *described) {
    char name[UNIT_ID + 64], path[PATH_MAX];
    struct file_bytes file;
    name_file(context, which, name);
    if (files_join(path, context->session->run, name) < 0)
        return -1;
    if (file_bytes_read(path, &file) < 0)
        return error("a recording of a unit that is half measured is gone; remove the unit's "
                     ".visits folder beside it, and --resume measures it from its first visit");
    if (file.size != described->size) {
        file_bytes_free(&file);
        return error("%s is damaged; remove the unit's .visits folder beside it, and --resume "
                     "measures it from its first visit",
                     path);
    }
    context->recorded[which] = *described;
    context->recorded[which].bytes = file.bytes;
    /* The kernel may be recorded again before it is in a process of its own. */
    if (unit_kernel(context, which))
        unit_kernel(context, which)->padded = described->padded;
    return 0;
}

int recordings_fetch(struct unit_context *context, const json_t *described) {
    size_t i;
    json_t *entry;
    json_array_foreach(described, i, entry) {
        json_int_t m, n, k, bytes;
        int which, operands;
        struct recorded r = {.stored = true};
        if (json_unpack(entry, "{s:i, s:[I, I, I], s:i, s:i, s:I}", "whose", &which, "padded", &m,
                        &n, &k, "operands", &operands, "calls", &r.calls, "bytes", &bytes) < 0 ||
            which < 0 || which >= UNIT_KERNELS || operands < 0 || operands >= LAYOUT_OPERANDS)
            return error("what is kept of a unit: a recording is not described");
        r.padded = (struct shape){m, n, k};
        r.operands = (enum layout_operands)operands;
        r.size = (uint64_t)bytes;
        if (fetch(context, which, &r) < 0)
            return -1;
    }
    return 0;
}

void recordings_remove(const struct unit_context *context) {
    char name[UNIT_ID + 64], path[PATH_MAX];
    for (int i = 0; i < UNIT_KERNELS && context->session->run; i++) {
        name_file(context, i, name);
        if (files_join(path, context->session->run, name) == 0)
            unlink(path);
    }
}

void recordings_forget(struct recorded *recorded) {
    free(recorded->bytes);
    *recorded = (struct recorded){.bytes = NULL};
}

void recordings_free(struct unit_context *context) {
    for (int i = 0; i < UNIT_KERNELS; i++)
        recordings_forget(&context->recorded[i]);
}
