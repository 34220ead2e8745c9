#include "crash_scenes.h"

#include <stdexcept>

extern "C" void crash_throw(void)
{
    throw std::runtime_error("no order 7");
}
