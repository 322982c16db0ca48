/* Shapes by size: classes of log2(M*N*K), each SIZE_CLASS_WIDTH wide. */
#ifndef REPORTS_ROWS_SIZE_CLASS_H
#define REPORTS_ROWS_SIZE_CLASS_H

#include "bench/base/shape.h"

/* The last class has all that is larger, too. */
enum { SIZE_CLASS_WIDTH = 4, SIZE_CLASSES = 16, SIZE_CLASS_TEXT = 32 };

int size_class_of(struct shape shape);

/* "16 to 20". Returns text. */
const char *size_class_format(int size_class, char text[SIZE_CLASS_TEXT]);

#endif
