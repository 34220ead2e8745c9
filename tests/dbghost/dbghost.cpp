// dbghost DBGENG BANNER TARGET [--dml] [COMMAND...]: opens a dump, or looks at a process, in the given debugger engine and prints what the commands print.
//
// TARGET is a dump; or pid:ID, a process that goes on meanwhile; or stopped:ID, one that is stopped for as long; or attached:ID, one that is debugged, from the break-in of the debugger on.
//
// BANNER is the engine's version, for example 10.0.29507. The engine must state it itself, so that another engine, which Wine may put in
// the place of the wanted one without a word, never passes for it. Each command's output is preceded by the line "> COMMAND".
// The command "handles" is this program's own (the engine's is an extension that is not part of it): one line for each handle of the dump,
// "VALUE TYPE access ACCESS handles COUNT pointers COUNT name NAME" and then "KIND:BYTES" for each kind of object information there is, with the
// kinds numbered as in minidumps (MINIDUMP_HANDLE_OBJECT_INFORMATION_TYPE), all numbers hexadecimal.
// With --dml it takes the markup that a host with links shows. Commands that begin with @ try out an extension; see extension_commands.h.
// Exit status: 0 done, 1 the engine refused something (said on standard error), 2 wrong arguments, 3 another engine answered.
#include "extension_commands.h"
#include "output_collector.h"
#include "system/debugger_headers.hpp"
#include "utf8.h"

#include <array>
#include <cstdio>
#include <string>
#include <string_view>

namespace {

constexpr ULONG kEventTimeoutMilliseconds = 60000;

enum ExitStatus { kDone = 0, kRefused = 1, kUsage = 2, kOtherEngine = 3 };

int refused(const char* what, HRESULT result) {
    std::fprintf(stderr, "dbghost: %s failed with 0x%08lx\n", what, static_cast<unsigned long>(result));
    return kRefused;
}

// The engine's neighbours (dbghelp and others) must come from its own directory.
HMODULE load_engine(const std::wstring& path) {
    SetDllDirectoryW(path.substr(0, path.find_last_of(L"\\/")).c_str());
    return LoadLibraryExW(path.c_str(), nullptr, LOAD_WITH_ALTERED_SEARCH_PATH);
}

bool states_banner(IDebugControl7* control, OutputCollector& output, const std::wstring& banner) {
    control->Execute(DEBUG_OUTCTL_THIS_CLIENT, "version", DEBUG_EXECUTE_DEFAULT);
    return output.take().find(to_utf8(banner)) != std::string::npos;
}

struct AttachMode {
    std::wstring_view prefix;
    ULONG flags;
};

// How a process is looked at; null for a dump.
const AttachMode* attach_mode(std::wstring_view target) {
    static constexpr std::array<AttachMode, 3> kModes{{
        {L"pid:", DEBUG_ATTACH_NONINVASIVE | DEBUG_ATTACH_NONINVASIVE_NO_SUSPEND},
        {L"stopped:", DEBUG_ATTACH_NONINVASIVE},
        {L"attached:", DEBUG_ATTACH_DEFAULT},
    }};
    for (const AttachMode& mode : kModes) {
        if (target.starts_with(mode.prefix))
            return &mode;
    }
    return nullptr;
}

HRESULT open_target(IDebugClient8* client, const wchar_t* target) {
    const AttachMode* mode = attach_mode(target);
    if (mode == nullptr)
        return client->OpenDumpFileWide(target, 0);
    return client->AttachProcess(0, std::wcstoul(target + mode->prefix.size(), nullptr, 10), mode->flags);
}

std::string handle_text(IDebugDataSpaces4* spaces, ULONG64 handle, ULONG kind) {
    std::array<wchar_t, 512> text{};
    ULONG size = 0;
    HRESULT result = spaces->ReadHandleData(handle, kind, text.data(), static_cast<ULONG>(sizeof text), &size);
    return SUCCEEDED(result) ? to_utf8(text.data()) : std::string();
}

void print_handle(IDebugDataSpaces4* spaces, ULONG64 handle, const DEBUG_HANDLE_DATA_BASIC& basic) {
    // By minidump number, from 1 on: thread, two of mutexes, two of processes, event, section, semaphore.
    constexpr std::array<ULONG, 8> kInformation{
        DEBUG_HANDLE_DATA_TYPE_MINI_THREAD_1,  DEBUG_HANDLE_DATA_TYPE_MINI_MUTANT_1, DEBUG_HANDLE_DATA_TYPE_MINI_MUTANT_2,
        DEBUG_HANDLE_DATA_TYPE_MINI_PROCESS_1, DEBUG_HANDLE_DATA_TYPE_MINI_PROCESS_2, DEBUG_HANDLE_DATA_TYPE_MINI_EVENT_1,
        DEBUG_HANDLE_DATA_TYPE_MINI_SECTION_1, DEBUG_HANDLE_DATA_TYPE_MINI_SEMAPHORE_1,
    };
    std::printf("%llx %s access %lx handles %lx pointers %lx name %s", handle, handle_text(spaces, handle, DEBUG_HANDLE_DATA_TYPE_TYPE_NAME_WIDE).c_str(),
        basic.GrantedAccess, basic.HandleCount, basic.PointerCount, handle_text(spaces, handle, DEBUG_HANDLE_DATA_TYPE_OBJECT_NAME_WIDE).c_str());
    for (ULONG number = 1; number <= std::size(kInformation); number++) {
        alignas(8) std::array<unsigned char, 256> bytes{};
        ULONG size = 0;
        HRESULT result = spaces->ReadHandleData(handle, kInformation[number - 1], bytes.data(), static_cast<ULONG>(bytes.size()), &size);
        if (FAILED(result) || size == 0 || size > bytes.size())
            continue;
        std::printf(" %lx:", number);
        for (ULONG i = 0; i < size; i++)
            std::printf("%02X", bytes[i]);
    }
    std::printf("\n");
}

// The engine gives the number of handles but not their values, which are multiples of four: those that a process can have are tried.
HRESULT print_handles(IDebugClient8* client) {
    constexpr ULONG64 kHighestHandle = 0x10000;
    IDebugDataSpaces4* spaces = nullptr;
    HRESULT result = client->QueryInterface(IID_IDebugDataSpaces4, reinterpret_cast<void**>(&spaces));
    if (FAILED(result))
        return result;
    for (ULONG64 handle = 4; handle < kHighestHandle; handle += 4) {
        DEBUG_HANDLE_DATA_BASIC basic{};
        if (SUCCEEDED(spaces->ReadHandleData(handle, DEBUG_HANDLE_DATA_TYPE_BASIC, &basic, sizeof basic, nullptr)))
            print_handle(spaces, handle, basic);
    }
    spaces->Release();
    return S_OK;
}

int run(int count, wchar_t** arguments) {
    HMODULE engine = load_engine(arguments[1]);
    if (engine == nullptr)
        return refused("loading the engine", HRESULT_FROM_WIN32(GetLastError()));
    auto create = reinterpret_cast<HRESULT(WINAPI*)(REFIID, void**)>(reinterpret_cast<void*>(GetProcAddress(engine, "DebugCreate")));
    if (create == nullptr)
        return refused("finding DebugCreate", E_NOINTERFACE);

    IDebugClient8* client = nullptr;
    IDebugControl7* control = nullptr;
    HRESULT result = create(IID_IDebugClient8, reinterpret_cast<void**>(&client));
    if (FAILED(result))
        return refused("DebugCreate", result);
    result = client->QueryInterface(IID_IDebugControl7, reinterpret_cast<void**>(&control));
    if (FAILED(result))
        return refused("IDebugControl7", result);

    bool takes_markup = count > 4 && std::wstring_view(arguments[4]) == L"--dml";
    static OutputCollector output(takes_markup);
    result = client->SetOutputCallbacks(reinterpret_cast<PDEBUG_OUTPUT_CALLBACKS>(&output));
    if (FAILED(result))
        return refused("setting the output", result);
    // As WinDbg: a process that is debugged stops at its first break-in.
    control->AddEngineOptions(DEBUG_ENGOPT_INITIAL_BREAK);
    result = open_target(client, arguments[3]);
    if (FAILED(result))
        return refused("opening the target", result);
    result = control->WaitForEvent(0, kEventTimeoutMilliseconds);
    // S_FALSE says that nothing happened for so long.
    if (result != S_OK)
        return refused("reading the target", result);
    output.take();
    if (!states_banner(control, output, arguments[2])) {
        std::fprintf(stderr, "dbghost: this engine is not version %s\n", to_utf8(arguments[2]).c_str());
        return kOtherEngine;
    }

    ExtensionCommands extension(client, control, output);
    for (int i = takes_markup ? 5 : 4; i < count; i++) {
        std::printf("> %s\n", to_utf8(arguments[i]).c_str());
        std::fflush(stdout);
        if (std::wstring_view(arguments[i]) == L"handles")
            result = print_handles(client);
        else if (arguments[i][0] == L'@')
            result = extension.run(arguments[i]);
        else
            result = control->ExecuteWide(DEBUG_OUTCTL_THIS_CLIENT, arguments[i], DEBUG_EXECUTE_DEFAULT);
        extension.settle();
        std::printf("%s", extension.remember_links(output.take()).c_str());
        if (FAILED(result))
            return refused("a command", result);
    }
    // A process that was only looked at goes on as before.
    if (attach_mode(arguments[3]) != nullptr)
        client->DetachProcesses();
    client->EndSession(DEBUG_END_PASSIVE);
    return kDone;
}

}  // namespace

int wmain(int count, wchar_t** arguments) {
    if (count < 4) {
        std::fprintf(stderr, "usage: dbghost DBGENG BANNER DUMP|pid:ID|stopped:ID|attached:ID [--dml] [COMMAND...]\n");
        return kUsage;
    }
    int status = run(count, arguments);
    std::fflush(stdout);
    std::fflush(stderr);
    // Not through the exit code of the libraries: the engine's threads may still run.
    TerminateProcess(GetCurrentProcess(), static_cast<UINT>(status));
    return status;
}
