/* Names for the headers that a compile has read. The names stay valid when the folders lie
 * elsewhere.
 *
 * A header is named by where a compiler finds it: "1 cutlass/cutlass.h" is the first file of that
 * name along the source's folder and the include folders, in their order; "2 ..." is the second of
 * them. So a new header that a compiler would find first is noticed. A header that #include_next
 * skipped has another name than the one that it found. "0 PATH" is a header in none of these
 * folders. */
#ifndef CANDIDATES_BUILD_HEADERS_H
#define CANDIDATES_BUILD_HEADERS_H

#include <limits.h>
#include <stdbool.h>

#define HEADERS_FOLDERS 64
#define HEADERS_WORDS 64
#define HEADERS_NAME (PATH_MAX + 16)

struct headers {
    const char *folders[HEADERS_FOLDERS]; /* the source's is first; strings of others */
    int count;
    bool has_system; /* the compiler counts one of them as the system's: -MMD passes it over */
    char toolkit[PATH_MAX]; /* nvcc's own root; "": none */

    /* Words of the variables that add flags, less those that name folders, after each variable's
     * own name; ends with NULL. */
    const char *words[HEADERS_WORDS + 1];
    int word_count;
    char *texts[8]; /* what was allocated */
    int text_count;
};

/* If arguments[0] adds an include folder, the folder; NULL for any other argument. *used is how
 * many arguments it takes. */
const char *headers_flag(const char *const *arguments, int *used);

/* A source's folder, and those that a compiler's arguments name, which end with NULL. */
void headers_add_folder(struct headers *headers, const char *folder);
void headers_add_flags(struct headers *headers, const char *const *arguments);

/* Those that the environment names, which a compiler searches last. 0, or -1 after error(). */
int headers_add_environment(struct headers *headers);

/* Notes the toolkit that this nvcc is of: the folder above its own, if nvcc.profile lies beside it.
 */
void headers_set_toolkit(struct headers *headers, const char *nvcc);

/* Names the header. False for one of the toolkit's. */
bool headers_name(const struct headers *headers, const char *path, char name[HEADERS_NAME]);

/* Where the header of that name is now. False where there is none. */
bool headers_find(const struct headers *headers, const char *name, char path[PATH_MAX]);

void headers_free(struct headers *headers);

#endif
