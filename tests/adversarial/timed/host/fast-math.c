/* expect: ok */
/* No fault: it has the constructor that -ffast-math links, by which subnormals of binary32 are
 * flushed to zero. half_widen goes through such numbers, and is right in the mode that the runner
 * keeps. */
#include "../../kernel.h"

#ifdef __x86_64__
__asm__(".pushsection .text.startup, \"ax\", @progbits\n"
        "set_fast_math:\n"
        "    stmxcsr -4(%rsp)\n"
        "    orl $0x8040, -4(%rsp)\n"
        "    ldmxcsr -4(%rsp)\n"
        "    ret\n"
        ".popsection\n"
        ".pushsection .init_array, \"aw\"\n"
        "    .balign 8\n"
        "    .quad set_fast_math\n"
        ".popsection\n");
#endif

KERNEL("fast-math", NULL, slow_product, NULL);
