#include "reports/gate/output.h"

#include <unistd.h>

#include "bench/base/error.h"
#include "bench/base/files.h"
#include "reports/query/query.h"

static const struct {
    const char *name;
    int (*write)(FILE *out, const struct gate *gate);
} outputs[] = {{"gate.csv", output_csv},    {"gate.json", output_json},
               {"junit.xml", output_junit}, {"summary.md", output_markdown},
               {"gate.html", output_html},  {"annotations.txt", output_annotations}};

static int write_one(const char *folder, size_t i, const struct gate *gate) {
    struct file file;
    if (file_open(&file, folder, outputs[i].name) < 0)
        return -1;
    if (outputs[i].write(file.stream, gate) < 0)
        file_abandon(&file);
    else if (file_commit(&file) == 0)
        return 0;
    /* Better none than that of another verdict. */
    unlink(file.path);
    return -1;
}

static int refuse_output(const struct gate *gate, const char *folder, size_t failed,
                         const char *first) {
    output_tell(gate, "", 0, false);
    sqlite3_stmt *again = query_ask(gate->db, "SELECT text FROM facts WHERE key = 'again'", NULL);
    query_next(again);
    error("%s: %zu of the gate's files could not be written, %s first; once that is mended, judge "
          "again what is measured: %s",
          folder, failed, first, query_text(again, "text"));
    sqlite3_finalize(again);
    return -1;
}

int output_write(const struct gate *gate, bool json) {
    char folder[PATH_MAX];
    size_t failed = 0;
    const char *first = NULL;
    if (files_join(folder, gate->call.run, "gate") < 0 || files_make_folder(folder) < 0)
        return -1;
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
        if (write_one(folder, i, gate) < 0 && failed++ == 0)
            first = outputs[i].name;
    if (failed)
        return refuse_output(gate, folder, failed, first);
    const int status = json ? output_json(stdout, gate) : output_text(stdout, gate);
    return status < 0 || fflush(stdout) == EOF || ferror(stdout)
               ? error("stdout: cannot write the gate's summary")
               : 0;
}
