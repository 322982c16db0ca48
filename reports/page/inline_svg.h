/* gnuplot's pictures as part of a page. */
#ifndef REPORTS_PAGE_INLINE_SVG_H
#define REPORTS_PAGE_INLINE_SVG_H

#include <stddef.h>
#include <stdio.h>

/* The picture NAME.svg of the folder as an svg element that says `alt` to who cannot see. The
 * number tells the pictures of a page apart: ids get it, and what only disturbs there is left out;
 * colours are the style sheet's to change. 0, or -1 after error() where it cannot be read. */
int inline_svg(FILE *out, const char *folder, const char *name, const char *alt, size_t number);

#endif
