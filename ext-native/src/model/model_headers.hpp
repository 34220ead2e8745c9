#pragma once

// Microsoft's dbgmodel.h, the data model behind the debugger's command dx, for compilers other than Microsoft's: as debugger_headers.hpp.
// It uses std::bad_alloc without saying so.
#include <new>

#include "system/debugger_headers.hpp"

#if defined(__GNUC__)
#pragma push_macro("__in")
#pragma push_macro("__out")
#define __in
#define __out
#endif

#include <dbgmodel.h>

#if defined(__GNUC__)
#pragma pop_macro("__in")
#pragma pop_macro("__out")
#endif
