/* What a kernel can know of the others: C buffers rotate over the arms by one a block, so that the
 * C that an earlier arm gets now is the one that the kernel itself was given some blocks ago. */
#ifndef ROTATION_H
#define ROTATION_H

#include <stddef.h>

/* To be asked once a call. The C of the arm that is `before` places ahead, in the same block; NULL
 * as long as not all buffers have been seen. Where another C comes than the next of the ring, the
 * buffers have moved, and they are learnt anew. */
static inline void *c_of_earlier(void *c, int before) {
    static void *ring[64];
    static int count, closed, last;
    if (closed && c != ring[last]) {
        last = (last + 1) % count;
        if (c != ring[last])
            count = closed = 0;
    }
    if (!closed && (count == 0 || c != ring[count - 1])) {
        int first = 0;
        while (first < count && ring[first] != c)
            first++;
        closed = first < count;
        if (!closed && count < 64)
            ring[count++] = c;
        for (int i = first; closed && i < count; i++)
            ring[i - first] = ring[i]; /* what came before was of an earlier place */
        count -= closed ? first : 0;
        last = 0;
    }
    return closed ? ring[(last + count - before) % count] : NULL;
}

#endif
