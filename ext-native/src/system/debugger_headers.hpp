#pragma once

// Microsoft's dbgeng.h for compilers other than Microsoft's: it uses annotations that libstdc++ uses as names, so that they must not stay defined behind it.
#include <windows.h>

#include <initguid.h>

#if defined(__GNUC__)
#pragma push_macro("__in")
#pragma push_macro("__out")
#define __in
#define __out
#ifndef _Analysis_noreturn_
#define _Analysis_noreturn_
#endif
#endif

#include <dbgeng.h>

#if defined(__GNUC__)
#pragma pop_macro("__in")
#pragma pop_macro("__out")
#endif
