/* How many cores the arithmetic of this process uses. */
#ifndef CORRECTNESS_CORES_H
#define CORRECTNESS_CORES_H

/* For reference products and checks, from now on; without it, all there are. */
void cores_use(int count);

#endif
