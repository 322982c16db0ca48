/* expect: dishonest|unrecorded */
/* As forged-reply, but by a system call of its own, which is no symbol and thus only a warning. */
#include <sys/syscall.h>

#include "../../kernel.h"

static const char reply[4096];

static int launch(void *state, const struct gemm_args *args) {
    slow_product(state, args);
#ifdef __x86_64__
    long status = SYS_write;
    __asm__ volatile("syscall"
                     : "+a"(status)
                     : "D"(3L), "S"(reply), "d"(sizeof reply)
                     : "rcx", "r11", "memory");
#else
    register long status __asm__("x0") = 3;
    register const char *from __asm__("x1") = reply;
    register long bytes __asm__("x2") = sizeof reply, call __asm__("x8") = SYS_write;
    __asm__ volatile("svc 0" : "+r"(status) : "r"(from), "r"(bytes), "r"(call) : "memory");
#endif
    return status != sizeof reply;
}

KERNEL("forged-reply-quiet", NULL, launch, NULL);
