/* The makers of reference products and their check agree on this. Valid C11 and CUDA C++. */
#ifndef CORRECTNESS_NUMBERS_REFERENCE_CHUNK_H
#define CORRECTNESS_NUMBERS_REFERENCE_CHUNK_H

/* So many products of an element may be added in plain FP32. Such sums are added with the error of
 * each addition kept (Knuth's two-sum), and the result is rounded to FP32 once. */
#define REFERENCE_CHUNK 32

#endif
