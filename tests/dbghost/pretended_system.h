#pragma once

#include "system/debugger_headers.hpp"

#include <string>

// What this host makes dumpext.dll see of the system in place of what there is, by leading that library's own imports elsewhere: nobody else sees it.

// The disk has only so many bytes left; without a number all is as it is, also what the others have changed.
HRESULT pretend_space(const std::wstring& bytes);

// Ctrl+Break comes whenever the library has found space for a snapshot, and whenever it looks for the writer of a description.
HRESULT interrupt_writing(IDebugClient8* client);

// There is no dbgcore.dll.
HRESULT hide_writer();

// Writes a pointer where memory need not be writable.
void replace_pointer(void** place, void* value);
