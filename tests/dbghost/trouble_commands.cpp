#include "trouble_commands.h"

#include "pretended_system.h"
#include "utf8.h"

#include <tlhelp32.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <string>
#include <vector>

namespace {

constexpr DWORD kPollMilliseconds = 2;
constexpr DWORD kCopyMilliseconds = 60000;

// The place of GetDebuggeeType among the methods of IDebugControl4, counted in dbgeng.h.
constexpr ULONG kTypePlace = 34;

using GetDebuggeeType = HRESULT(STDMETHODCALLTYPE*)(IDebugControl4*, PULONG, PULONG);
GetDebuggeeType g_real_type = nullptr;
ULONG g_class = 0;
ULONG g_qualifier = 0;

HRESULT STDMETHODCALLTYPE pretended_type(IDebugControl4*, PULONG debuggee_class, PULONG qualifier) {
    *debuggee_class = g_class;
    *qualifier = g_qualifier;
    return S_OK;
}

// The ids of the dumpanalyze.exe that this process started and that run; counts them and gives the last.
int find_engine_processes(DWORD& last) {
    HANDLE snapshot = CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0);
    PROCESSENTRY32W entry{};
    entry.dwSize = sizeof entry;
    int count = 0;
    for (BOOL more = Process32FirstW(snapshot, &entry); more; more = Process32NextW(snapshot, &entry)) {
        if (entry.th32ParentProcessID == GetCurrentProcessId() && _wcsicmp(entry.szExeFile, L"dumpanalyze.exe") == 0) {
            last = entry.th32ProcessID;
            count++;
        }
    }
    CloseHandle(snapshot);
    return count;
}

bool has_loaded(DWORD id, const std::wstring& library) {
    HANDLE snapshot = CreateToolhelp32Snapshot(TH32CS_SNAPMODULE, id);
    if (snapshot == INVALID_HANDLE_VALUE)
        return false;
    MODULEENTRY32W entry{};
    entry.dwSize = sizeof entry;
    bool found = false;
    for (BOOL more = Module32FirstW(snapshot, &entry); more && !found; more = Module32NextW(snapshot, &entry))
        found = _wcsicmp(entry.szModule, library.c_str()) == 0;
    CloseHandle(snapshot);
    return found;
}

std::atomic<bool> g_has_found_engine = false;

// The engine, already stopped, or 0 for the next one.
struct Killing {
    DWORD engine;
    DWORD milliseconds;
};

DWORD WINAPI kill_engine(void* argument) {
    auto* killing = static_cast<Killing*>(argument);
    DWORD id = killing->engine != 0 ? killing->engine : TroubleCommands::stop_engine(L"");
    g_has_found_engine = true;
    Sleep(killing->milliseconds);
    delete killing;
    HANDLE process = OpenProcess(PROCESS_TERMINATE, FALSE, id);
    std::printf("killed %d\n", process != nullptr && TerminateProcess(process, 0xDEAD) != FALSE ? 1 : 0);
    CloseHandle(process);
    return 0;
}

struct HeldFile {
    HANDLE file;
    DWORD milliseconds;
};

DWORD WINAPI release_file(void* argument) {
    auto* held = static_cast<HeldFile*>(argument);
    Sleep(held->milliseconds);
    CloseHandle(held->file);
    delete held;
    return 0;
}

// A snapshot that exists; its size is 0 for none.
std::wstring find_snapshot(DWORD* size = nullptr) {
    std::array<wchar_t, MAX_PATH + 2> directory{};
    GetTempPathW(static_cast<DWORD>(directory.size()), directory.data());
    WIN32_FIND_DATAW found{};
    HANDLE search = FindFirstFileW((std::wstring(directory.data()) + L"dumpext-*.dmp").c_str(), &found);
    if (search == INVALID_HANDLE_VALUE)
        return {};
    FindClose(search);
    if (size != nullptr)
        *size = found.nFileSizeLow;
    return std::wstring(directory.data()) + found.cFileName;
}

DWORD snapshot_size() {
    DWORD size = 0;
    find_snapshot(&size);
    return size;
}

DWORD WINAPI die(void*) {
    DWORD id = 0;
    DWORD size = 0;
    while (find_engine_processes(id) == 0 || (size = snapshot_size()) == 0)
        Sleep(kPollMilliseconds);
    std::printf("ending beside a snapshot of %lu bytes\n", size);
    std::fflush(stdout);
    TerminateProcess(GetCurrentProcess(), 0);
    return 0;
}

HANDLE g_copier = nullptr;

// Copies a snapshot as often as it is there, until it is gone: the last copy is that of the whole one.
DWORD WINAPI copy_snapshot(void* argument) {
    auto* target = static_cast<std::wstring*>(argument);
    std::vector<char> content;
    while (content.empty() || !find_snapshot().empty()) {
        HANDLE file = CreateFileW(
            find_snapshot().c_str(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr, OPEN_EXISTING, 0, nullptr);
        if (file != INVALID_HANDLE_VALUE) {
            DWORD count = 0;
            content.resize(GetFileSize(file, nullptr));
            ReadFile(file, content.data(), static_cast<DWORD>(content.size()), &count, nullptr);
            CloseHandle(file);
        }
        Sleep(kPollMilliseconds);
    }
    HANDLE file = CreateFileW(target->c_str(), GENERIC_WRITE, 0, nullptr, CREATE_ALWAYS, 0, nullptr);
    DWORD count = 0;
    WriteFile(file, content.data(), static_cast<DWORD>(content.size()), &count, nullptr);
    CloseHandle(file);
    delete target;
    return 0;
}

HRESULT start_thread(LPTHREAD_START_ROUTINE routine, ULONG_PTR argument) {
    HANDLE thread = CreateThread(nullptr, 0, routine, reinterpret_cast<void*>(argument), 0, nullptr);
    if (thread == nullptr)
        return E_FAIL;
    CloseHandle(thread);
    return S_OK;
}

HRESULT hold_file(const std::wstring& text) {
    wchar_t* end = nullptr;
    DWORD milliseconds = std::wcstoul(text.c_str(), &end, 10);
    HANDLE file = CreateFileW(end + 1, GENERIC_READ, 0, nullptr, OPEN_EXISTING, 0, nullptr);
    if (file == INVALID_HANDLE_VALUE)
        return HRESULT_FROM_WIN32(GetLastError());
    return start_thread(release_file, reinterpret_cast<ULONG_PTR>(new HeldFile{file, milliseconds}));
}

HRESULT run_program(std::wstring line) {
    SECURITY_ATTRIBUTES inheritable{sizeof inheritable, nullptr, TRUE};
    HANDLE reader = nullptr;
    HANDLE writer = nullptr;
    if (!CreatePipe(&reader, &writer, &inheritable, 0))
        return E_FAIL;
    STARTUPINFOW startup{};
    startup.cb = sizeof startup;
    startup.dwFlags = STARTF_USESTDHANDLES;
    startup.hStdOutput = startup.hStdError = writer;
    PROCESS_INFORMATION started{};
    BOOL is_started = CreateProcessW(nullptr, line.data(), nullptr, nullptr, TRUE, CREATE_NO_WINDOW, nullptr, nullptr, &startup, &started);
    CloseHandle(writer);
    std::array<char, 16384> buffer{};
    DWORD count = 0;
    DWORD total = 0;
    while (is_started && ReadFile(reader, buffer.data(), static_cast<DWORD>(buffer.size()), &count, nullptr) && count > 0)
        total += count;
    CloseHandle(reader);
    if (!is_started)
        return HRESULT_FROM_WIN32(GetLastError());
    WaitForSingleObject(started.hProcess, INFINITE);
    CloseHandle(started.hProcess);
    CloseHandle(started.hThread);
    std::printf("%lu bytes\n", total);
    return S_OK;
}

}  // namespace

HRESULT TroubleCommands::run(std::wstring_view name, std::wstring_view text) {
    std::wstring rest(text);
    if (name == L"@kill")
        return start_killer(std::wcstoul(rest.c_str(), nullptr, 10));
    if (name == L"@hold")
        return hold_file(rest);
    if (name == L"@die")
        return start_thread(die, 0);
    if (name == L"@copy-snapshot") {
        g_copier = CreateThread(nullptr, 0, copy_snapshot, new std::wstring(rest), 0, nullptr);
        return g_copier == nullptr ? E_FAIL : S_OK;
    }
    if (name == L"@copied")
        return WaitForSingleObject(g_copier, kCopyMilliseconds) == WAIT_OBJECT_0 ? S_OK : E_FAIL;
    if (name == L"@pretend")
        return pretend(rest);
    if (name == L"@space")
        return pretend_space(rest);
    if (name == L"@interrupted-write")
        return interrupt_writing(client_);
    if (name == L"@no-writer")
        return hide_writer();
    if (name == L"@suspends")
        return print_suspend_counts();
    if (name == L"@directory")
        return SetCurrentDirectoryW(rest.c_str()) ? S_OK : HRESULT_FROM_WIN32(GetLastError());
    if (name == L"@bytes")
        return call_with_bytes(rest);
    if (name == L"@program")
        return run_program(rest);
    if (name == L"@environment") {
        size_t equals = std::min(rest.find(L'='), rest.size());
        return SetEnvironmentVariableW(rest.substr(0, equals).c_str(), rest.substr(std::min(equals + 1, rest.size())).c_str()) ? S_OK : E_FAIL;
    }
    return E_INVALIDARG;
}

HRESULT TroubleCommands::start_killer(DWORD milliseconds) {
    g_has_found_engine = false;
    // One that runs must not be faster than its killer.
    DWORD engine = runs_engine(L"") ? stop_engine(L"") : 0;
    killer_ = CreateThread(nullptr, 0, kill_engine, new Killing{engine, milliseconds}, 0, nullptr);
    return killer_ == nullptr ? E_FAIL : S_OK;
}

void TroubleCommands::wait_for_killer() {
    if (killer_ == nullptr || !g_has_found_engine)
        return;
    WaitForSingleObject(killer_, INFINITE);
    CloseHandle(killer_);
    killer_ = nullptr;
}

bool TroubleCommands::runs_engine(const std::wstring& library) {
    DWORD id = 0;
    return find_engine_processes(id) != 0 && (library.empty() || has_loaded(id, library));
}

DWORD TroubleCommands::stop_engine(const std::wstring& library) {
    auto suspend = reinterpret_cast<LONG(NTAPI*)(HANDLE)>(reinterpret_cast<void*>(GetProcAddress(GetModuleHandleW(L"ntdll.dll"), "NtSuspendProcess")));
    while (!runs_engine(library))
        Sleep(kPollMilliseconds);
    DWORD id = 0;
    find_engine_processes(id);
    HANDLE process = OpenProcess(PROCESS_SUSPEND_RESUME, FALSE, id);
    suspend(process);
    CloseHandle(process);
    return id;
}

int TroubleCommands::count_engine_processes() {
    DWORD last = 0;
    return find_engine_processes(last);
}

// The engine's own table of methods is changed, so that every client sees the other target: no dump of a kernel and no trace is needed to see what an extension says to one.
HRESULT TroubleCommands::pretend(std::wstring_view text) {
    IDebugControl4* control = nullptr;
    if (FAILED(client_->QueryInterface(IID_IDebugControl4, reinterpret_cast<void**>(&control))))
        return E_NOINTERFACE;
    void** methods = *reinterpret_cast<void***>(control);
    control->Release();
    if (g_real_type == nullptr)
        g_real_type = reinterpret_cast<GetDebuggeeType>(methods[kTypePlace]);
    std::wstring rest(text);
    wchar_t* end = nullptr;
    g_class = std::wcstoul(rest.c_str(), &end, 10);
    g_qualifier = std::wcstoul(end, nullptr, 10);
    replace_pointer(methods + kTypePlace, reinterpret_cast<void*>(rest.empty() ? g_real_type : pretended_type));
    return S_OK;
}

HRESULT TroubleCommands::print_suspend_counts() {
    IDebugSystemObjects4* objects = nullptr;
    ULONG count = 0;
    if (FAILED(client_->QueryInterface(IID_IDebugSystemObjects4, reinterpret_cast<void**>(&objects))) || FAILED(objects->GetNumberThreads(&count)))
        return E_NOINTERFACE;
    for (ULONG i = 0; i < count; i++) {
        ULONG engine_id = 0;
        ULONG system_id = 0;
        objects->GetThreadIdsByIndex(i, 1, &engine_id, &system_id);
        HANDLE thread = OpenThread(THREAD_SUSPEND_RESUME, FALSE, system_id);
        DWORD suspended = SuspendThread(thread);
        ResumeThread(thread);
        CloseHandle(thread);
        std::printf("%lx %ld\n", system_id, static_cast<long>(suspended));
    }
    objects->Release();
    return S_OK;
}

// What debuggers with another code page hand over.
HRESULT TroubleCommands::call_with_bytes(std::wstring_view text) {
    size_t space = std::min(text.find(L' '), text.size());
    std::string bytes;
    for (size_t i = space + 1; i + 1 < text.size(); i += 2)
        bytes += static_cast<char>(std::wcstoul(std::wstring(text.substr(i, 2)).c_str(), nullptr, 16));
    auto command = reinterpret_cast<HRESULT(CALLBACK*)(PDEBUG_CLIENT, PCSTR)>(
        reinterpret_cast<void*>(GetProcAddress(GetModuleHandleW(L"dumpext.dll"), to_utf8(std::wstring(text.substr(0, space)).c_str()).c_str())));
    return command == nullptr ? E_NOINTERFACE : command(reinterpret_cast<PDEBUG_CLIENT>(client_), bytes.c_str());
}
