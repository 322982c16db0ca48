#include <stddef.h>

#include "bench/base/csv.h"
#include "reports/gate/output.h"
#include "reports/gate/output_parts.h"

int output_csv(FILE *out, const struct gate *gate) {
    fputs("status,m,n,k,candidate,source,mode,lens,reference,class,ratio,ci_low,ci_high,"
          "reference_seconds,seconds,margin,p,detectable,rounds,stage,text\n",
          out);
    for (size_t i = 0; i < gate->count; i++) {
        const struct gate_row *row = &gate->rows[i];
        const char *texts[] = {row->candidate, row->source,    row->mode,
                               row->lens,      row->reference, row->size_class};
        const double numbers[] = {row->ratio,   row->ci_low, row->ci_high, row->reference_seconds,
                                  row->seconds, row->margin, row->p,       row->detectable,
                                  row->rounds};
        fprintf(out, "%s,", gate_status_word(row->status));
        csv_put_shape(out, row->shape);
        csv_put_texts(out, texts, sizeof texts / sizeof *texts);
        csv_put_numbers(out, numbers, sizeof numbers / sizeof *numbers);
        fprintf(out, ",%s,", output_stage(row));
        csv_put_text(out, row->text);
        fputc('\n', out);
    }
    return 0;
}
