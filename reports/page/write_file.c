
#include <string.h>

#include "bench/base/files.h"
#include "reports/page/writers.h"

int write_file(const char *folder, const char *name, const struct document *page,
               const char *table) {
    const char *ending = strrchr(name, '.');
    struct file file;
    if (file_open(&file, folder, name) < 0)
        return -1;
    const int status = strcmp(ending, ".csv") == 0    ? write_csv(file.stream, page, table)
                       : strcmp(ending, ".md") == 0   ? write_markdown(file.stream, page)
                       : strcmp(ending, ".json") == 0 ? write_json(file.stream, page)
                                                      : write_html(file.stream, page, folder);
    if (status == 0)
        return file_commit_unsynced(&file);
    file_abandon(&file);
    return -1;
}
