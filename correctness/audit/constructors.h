/* Functions of a library that the loader runs. */
#ifndef CORRECTNESS_AUDIT_CONSTRUCTORS_H
#define CORRECTNESS_AUDIT_CONSTRUCTORS_H

#include "correctness/audit/elf_image.h"

/* Notes a relocation that may write a constructor's address. If several write the same word, the
 * last one counts. */
bool constructors_note(struct image *image, const Elf64_Rela *relocation);

/* After every relocation was noted: appends those that are not the compiler's own. */
bool constructors_judge(struct image *image);

#endif
