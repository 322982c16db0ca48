#include "torch/extension.h"
