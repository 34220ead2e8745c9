// The debugger engine's own header, made acceptable to mingw's compiler.
#pragma once

#include <windows.h>

// Emits the interface ids that dbgeng.h only declares.
#include <initguid.h>

// The header uses Microsoft's annotations. They must not stay defined: libstdc++ has parameters of these names.
#pragma push_macro("__in")
#pragma push_macro("__out")
#define __in
#define __out
#ifndef _Analysis_noreturn_
#define _Analysis_noreturn_
#endif
#include <dbgeng.h>
#pragma pop_macro("__in")
#pragma pop_macro("__out")
