#include "reports/store/history.h"

#include <stdio.h>

#include "bench/base/error.h"
#include "reports/page/write_json.h"
#include "reports/page/write_text.h"
#include "reports/store/history_figure.h"
#include "reports/store/store_page.h"

int history_show(const char *store, const struct shape *shape, const char *baseline,
                 const char *figure, bool json) {
    struct history_series_set set;
    if ((figure && history_figure_kind(figure) == HISTORY_NO_FIGURE) ||
        history_series_read(store, shape, baseline, &set) < 0)
        return EXIT_TROUBLE;
    struct document *page = shape ? store_page_history(&set) : store_page_changes(&set);
    int status = json ? write_json(stdout, page) : write_text(stdout, page);
    document_free(page);
    if (status == 0 && figure && shape)
        status = history_figure(&set, figure);
    history_series_set_free(&set);
    return status < 0 ? EXIT_TROUBLE : EXIT_PASS;
}
