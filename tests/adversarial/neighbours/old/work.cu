/* Twin: writes its own memory alone. expect: ok */
#include "../plan.cuh"
