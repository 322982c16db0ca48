"""What numbers of drawn shapes say of others like them."""
import math
import statistics


def interval(x):
    """The mean of x and its 95 % interval: Student's t, whose quantile is expanded from the normal one."""
    v, z = len(x) - 1, 1.959964
    t = z + (z**3 + z) / (4 * v) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v**2) + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * v**3)
    mean, half = statistics.fmean(x), t * statistics.stdev(x) / math.sqrt(len(x))
    return mean, mean - half, mean + half
