/* A page before it is Markdown, HTML, text, CSV or JSON: what it says, in order, without markup.
 *
 * Code that has something to report fills a document with sections, facts, paragraphs, list items,
 * tables with typed columns, and figures. A writer (writers.h) lays it out. A
 * column is added once and shows in every format.
 *
 *     struct document *page = document_new("gemmgate report");
 *     document_section(page, 2, "refused", "Refused kernels", false);
 *     document_paragraph(page, "These did not pass; see `checks.csv`.");
 *     document_table(page, "refused", "The kernels, candidates first");
 *     document_columns(page, "shape", "mean %|mean|speedup", NULL);
 *     document_row(page);
 *     document_cell(page, "64x64x64");
 *     document_number(page, 0.221);
 *     int status = write_markdown(out, page);
 *     document_free(page);
 *
 * The document owns copies of all texts, which are UTF-8 without control characters. One that is filled in an order that makes no sense (a cell
 * without a column) is an internal error, which ends the program.
 *
 * MARKED texts: `code`, *emphasis*, **strong**, [words](where) for a link, and a backslash before a
 * character that is to stand as it is, as text from outside has it (plain() of a query). Marks do not
 * nest. A text that is not marked stays as it is, whatever is in it, and writers escape it. */
#ifndef REPORTS_PAGE_DOCUMENT_H
#define REPORTS_PAGE_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>

/* Where a part is shown. Data is CSV and JSON. */
enum document_format {
    DOCUMENT_MARKDOWN = 1,
    DOCUMENT_HTML = 2,
    DOCUMENT_TERMINAL = 4,
    DOCUMENT_DATA = 8,
    DOCUMENT_PAGES = DOCUMENT_MARKDOWN | DOCUMENT_HTML | DOCUMENT_TERMINAL,
    DOCUMENT_ALL = DOCUMENT_PAGES | DOCUMENT_DATA
};

/* What something says beyond its words: writers that have colours show it. */
enum document_mood { DOCUMENT_PLAIN, DOCUMENT_GOOD, DOCUMENT_BAD };

/* Where a number has no value. */
#define DOCUMENT_NOTHING "–"

/* Of a verdict's word: faster and "good" are good, slower, refused and "bad" are bad. */
enum document_mood document_faster(const char *verdict);

struct document;

struct document *document_new(const char *title);
void document_free(struct document *page); /* NULL: none */

/* The formats (bits) that what is added from now on is shown in; at first DOCUMENT_ALL. */
void document_only(struct document *page, unsigned formats);

/* A heading of level 2 to 6. The id is a stable anchor, unique in the page. A section may be folded away under its
 * heading, with all that it holds: HTML and Markdown show the heading alone until it is opened. */
void document_section(struct document *page, int level, const char *id, const char *heading,
                      bool folded);

void document_paragraph(struct document *page, const char *marked);

/* An item of a list; items in a row are one list. */
void document_item(struct document *page, const char *marked);

/* A paragraph that stands out: a verdict, a warning. */
void document_note(struct document *page, enum document_mood mood, const char *marked);

/* More of the paragraph, item, note or cell that was added last. */
void document_add(struct document *page, const char *marked);

/* Paragraphs, and items, which begin with "- ", of a marked text. A line that begins with a blank goes on
 * with the one before. */
void document_prose(struct document *page, const char *text);

/* Lines as they are, to be copied: a command. */
void document_code(struct document *page, const char *text);

/* Names with values, in a table of two columns: facts in a row belong together. A fact whose value is ""
 * is left out. The caption, which may be NULL, begins a new list of facts. */
void document_facts(struct document *page, const char *caption);
void document_fact(struct document *page, const char *name, const char *value);
void document_fact_marked(struct document *page, const char *name, const char *marked);

/* A picture NAME.png and NAME.svg in the folder of the page. alt says what can be seen, for who
 * cannot; one that was not drawn is told as such. */
void document_figure(struct document *page, const char *name, const char *alt, const char *caption,
                     bool drawn);

/* Opens a table; what follows is its columns, then rows of cells in the order of the columns. The
 * id names it in data; the caption may be NULL. A table that ends up without rows is shown as none
 * on pages, and as its header in data. */
void document_table(struct document *page, const char *id, const char *caption);

/* Adds columns, each told as "NAME|KEY|WORDS|UNKNOWN", of which all but the first may be missing; NULL ends them.
 * NAME is the heading. KEY names it in data, and is the name where it is empty; "KEY,LOW,HIGH" also names the ends of an
 * interval, which else are KEY_low and KEY_high. UNKNOWN says why a cell is empty. WORDS, with blanks between, are
 *
 *     text, code (from outside, or a name to be typed), count (a whole number), number, significant (%g),
 *     share (0.221: 22.1), speedup (0.221: +22.1), seconds (four digits in the unit that suits), ratio (with its
 *     interval: 1.020 (1.010 to 1.030)), interval, verdict (a word with a mood): the type, of which none is text
 *     2                      digits after the point, or of a significant one; else the type's own: 1 of shares and
 *                            speedups, 3 of ratios, intervals and significant ones, none of numbers
 *     %, GiB                 the unit after each number; of GiB the number is of bytes
 *     percent, micro         pages show the number times 100, or 1e6; data always has the bare number
 *     same, empty, zero      pages leave the column out where all rows have the same text, no row has a value, or all
 *                            have none or 0; data has it
 *     absent                 data leaves it out, too, where no row has a value, and pages as with zero
 *     data, pages, files (all but the terminal), wide (pages but the terminal), terminal    where it is shown; else
 *                            everywhere
 *     unbroken               a terminal shows its cells on one line, however wide
 *     marked, faster         of a query (query.h): marks in its texts mean something; its texts are verdicts
 *
 * Text and code cells stand left, all others right but for verdicts. */
void document_columns(struct document *page, ...) __attribute__((sentinel));

/* Another heading for the column that was added last. */
void document_heading(struct document *page, const char *name);

void document_row(struct document *page); /* cells that a row lacks at its end are empty */

/* Pages show so many rows (0: all) and tell how many more there are, and where: a marked text such
 * as "all are in [refused.csv](refused.csv)" (NULL: not told). The formats are bits. */
void document_most(struct document *page, unsigned formats, size_t rows);
void document_where(struct document *page, const char *marked);

/* The table can be folded away under a summary: in HTML always, closed where it is long; in
 * Markdown too where `everywhere`. */
void document_fold(struct document *page, bool everywhere, const char *summary);

/* Cells. Text from outside, as it is; "" is an empty cell. */
void document_cell(struct document *page, const char *text);
void document_cell_marked(struct document *page, const char *marked);
void document_empty(struct document *page, const char *why); /* no value; why may be NULL */
void document_number(struct document *page, double value);   /* NaN is an empty cell */
void document_ratio(struct document *page, double ratio, double low,
                    double high); /* NaN: an interval */

/* Of the cell that was added last. */
void document_mood(struct document *page, enum document_mood mood);

/* Where a kernel is unrecorded, a page says so beside each of its numbers, and in a sentence under
 * the table. Data does not.
 *
 * Of the cell that was added last. */
void unrecorded_label(struct document *page, bool unrecorded);

/* What the label means, where the table that was filled last has one. */
void unrecorded_explain(struct document *page);

#endif
