#include "reports/rows/size_class.h"

#include <math.h>
#include <stdio.h>

int size_class_of(struct shape shape) {
    const int size_class = (int)(log2(shape_flops(shape) / 2) / SIZE_CLASS_WIDTH);
    return size_class < SIZE_CLASSES ? size_class : SIZE_CLASSES - 1;
}

const char *size_class_format(int size_class, char text[SIZE_CLASS_TEXT]) {
    snprintf(text, SIZE_CLASS_TEXT, "%d to %d", size_class * SIZE_CLASS_WIDTH,
             (size_class + 1) * SIZE_CLASS_WIDTH);
    return text;
}
