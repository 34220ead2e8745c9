#include "pretended_system.h"

#include <array>
#include <cstdlib>
#include <string_view>

namespace {

constexpr ULONGLONG kEnoughSpace = 1'000'000'000'000;

ULONGLONG g_space = 0;
bool g_has_writer = true;
IDebugControl4* g_interrupted_control = nullptr;

void interrupt() {
    if (g_interrupted_control != nullptr)
        g_interrupted_control->SetInterrupt(DEBUG_INTERRUPT_ACTIVE);
}

BOOL WINAPI pretended_space(LPCWSTR, PULARGE_INTEGER available, PULARGE_INTEGER, PULARGE_INTEGER) {
    interrupt();
    available->QuadPart = g_space;
    return TRUE;
}

HMODULE WINAPI pretended_load(LPCWSTR path, HANDLE file, DWORD flags) {
    const bool is_writer = std::wstring_view(path).ends_with(L"dbgcore.dll");
    if (is_writer)
        interrupt();
    if (is_writer && !g_has_writer) {
        SetLastError(ERROR_MOD_NOT_FOUND);
        return nullptr;
    }
    return LoadLibraryExW(path, file, flags);
}

struct Replacement {
    const char* name;
    void* ours;
};

void* real_function(const char* name) { return reinterpret_cast<void*>(GetProcAddress(GetModuleHandleW(L"kernel32.dll"), name)); }

// Leads one import of the extension to ours or back to the system's.
HRESULT redirect(const Replacement& replacement, bool is_ours) {
    auto* image = reinterpret_cast<unsigned char*>(GetModuleHandleW(L"dumpext.dll"));
    if (image == nullptr)
        return E_NOINTERFACE;
    void* real = real_function(replacement.name);
    auto* headers = reinterpret_cast<IMAGE_NT_HEADERS64*>(image + reinterpret_cast<IMAGE_DOS_HEADER*>(image)->e_lfanew);
    const IMAGE_DATA_DIRECTORY& imports = headers->OptionalHeader.DataDirectory[IMAGE_DIRECTORY_ENTRY_IMPORT];
    for (auto* library = reinterpret_cast<IMAGE_IMPORT_DESCRIPTOR*>(image + imports.VirtualAddress); library->Name != 0; library++) {
        for (void** place = reinterpret_cast<void**>(image + library->FirstThunk); *place != nullptr; place++) {
            if (*place == real || *place == replacement.ours) {
                replace_pointer(place, is_ours ? replacement.ours : real);
                return S_OK;
            }
        }
    }
    return E_NOTIMPL;
}

const std::array<Replacement, 2>& replacements() {
    static const std::array<Replacement, 2> all{{
        {"GetDiskFreeSpaceExW", reinterpret_cast<void*>(pretended_space)},
        {"LoadLibraryExW", reinterpret_cast<void*>(pretended_load)},
    }};
    return all;
}

HRESULT redirect_all(bool is_ours) {
    for (const Replacement& replacement : replacements()) {
        if (HRESULT result = redirect(replacement, is_ours); FAILED(result))
            return result;
    }
    return S_OK;
}

}  // namespace

void replace_pointer(void** place, void* value) {
    DWORD protection = 0;
    if (VirtualProtect(place, sizeof value, PAGE_READWRITE, &protection)) {
        *place = value;
        VirtualProtect(place, sizeof value, protection, &protection);
    }
}

HRESULT pretend_space(const std::wstring& bytes) {
    g_interrupted_control = nullptr;
    g_has_writer = g_has_writer || bytes.empty();
    g_space = _wcstoui64(bytes.c_str(), nullptr, 10);
    return redirect_all(!bytes.empty());
}

HRESULT interrupt_writing(IDebugClient8* client) {
    g_space = kEnoughSpace;
    client->QueryInterface(IID_IDebugControl4, reinterpret_cast<void**>(&g_interrupted_control));
    return redirect_all(true);
}

HRESULT hide_writer() {
    g_interrupted_control = nullptr;
    g_has_writer = false;
    g_space = kEnoughSpace;
    return redirect_all(true);
}
