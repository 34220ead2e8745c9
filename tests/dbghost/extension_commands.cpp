#include "extension_commands.h"

#include "analysis_host.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

using ExtensionCommand = HRESULT(CALLBACK*)(PDEBUG_CLIENT, PCSTR);

constexpr DWORD kLongestMilliseconds = 60000;

struct Interruption {
    IDebugControl7* control;
    std::wstring moment;
    std::atomic<bool>* goes_on;
};

// The debugger forgets a Ctrl+Break that comes just before a command: it is pressed until the command has ended.
constexpr DWORD kBetweenInterrupts = 50;

struct OtherCall {
    IDebugClient8* client;
    ExtensionCommand command;
    std::string arguments;
};

FARPROC find_export(const std::string& name) {
    HMODULE extension = GetModuleHandleW(L"dumpext.dll");
    return extension == nullptr ? nullptr : GetProcAddress(extension, name.c_str());
}

constexpr std::wstring_view kEngine = L"engine";
constexpr std::wstring_view kFrom = L"from";

// Whether it is pressed until a command has ended.
bool lasts(const std::wstring& moment) { return moment.starts_with(kEngine) || moment.starts_with(kFrom); }

std::wstring library_of(const std::wstring& moment) { return moment.substr(std::min(kEngine.size() + 1, moment.size())); }

DWORD WINAPI interrupt_later(void* argument) {
    auto* interruption = static_cast<Interruption*>(argument);
    if (!lasts(interruption->moment)) {
        Sleep(std::wcstoul(interruption->moment.c_str(), nullptr, 10));
        interruption->control->SetInterrupt(DEBUG_INTERRUPT_ACTIVE);
    } else {
        if (interruption->moment.starts_with(kEngine))
            TroubleCommands::stop_engine(library_of(interruption->moment));
        else
            Sleep(std::wcstoul(interruption->moment.c_str() + kFrom.size(), nullptr, 10));
        for (; *interruption->goes_on; Sleep(kBetweenInterrupts))
            interruption->control->SetInterrupt(DEBUG_INTERRUPT_ACTIVE);
    }
    delete interruption;
    return 0;
}

// The output of a client of its own goes to the same callbacks, which the engine calls from this thread.
DWORD WINAPI call_together(void* argument) {
    auto* call = static_cast<OtherCall*>(argument);
    call->command(reinterpret_cast<PDEBUG_CLIENT>(call->client), call->arguments.c_str());
    delete call;
    return 0;
}

// The list of all handles of the system, because Wine's GetProcessHandleCount always says 0.
// SYSTEM_HANDLE_INFORMATION_EX and its entries of 40 bytes with the process id at 8: the headers of System Informer (ntexapi.h).
size_t count_own_handles() {
    constexpr ULONG kExtendedHandleInformation = 64;
    constexpr size_t kHeaderSize = 16;
    constexpr size_t kEntrySize = 40;
    constexpr size_t kProcessId = 8;
    auto query = reinterpret_cast<LONG(NTAPI*)(ULONG, void*, ULONG, ULONG*)>(
        reinterpret_cast<void*>(GetProcAddress(GetModuleHandleW(L"ntdll.dll"), "NtQuerySystemInformation")));
    std::vector<unsigned char> buffer(size_t{16} * 1024 * 1024);
    ULONG size = 0;
    if (query(kExtendedHandleInformation, buffer.data(), static_cast<ULONG>(buffer.size()), &size) < 0)
        return 0;
    size_t count = 0;
    size_t own = 0;
    std::memcpy(&count, buffer.data(), sizeof count);
    for (size_t i = 0; i < count && kHeaderSize + (i + 1) * kEntrySize <= buffer.size(); i++) {
        size_t process = 0;
        std::memcpy(&process, buffer.data() + kHeaderSize + i * kEntrySize + kProcessId, sizeof process);
        own += process == GetCurrentProcessId() ? 1 : 0;
    }
    return own;
}

}  // namespace

ExtensionCommands::ExtensionCommands(IDebugClient8* client, IDebugControl7* control, OutputCollector& output)
    : client_(client), control_(control), output_(output), trouble_(client), start_(GetTickCount64()) {}

std::string ExtensionCommands::remember_links(std::string output) {
    constexpr std::string_view kStart = "<link cmd=\"";
    for (size_t at = output.find(kStart); at != std::string::npos; at = output.find(kStart, at)) {
        at += kStart.size();
        std::string command = output.substr(at, output.find('"', at) - at);
        if (std::find(links_.begin(), links_.end(), command) == links_.end())
            links_.push_back(command);
    }
    return output;
}

HRESULT ExtensionCommands::run(std::wstring_view command) {
    size_t space = std::min(command.find(L' '), command.size());
    std::wstring_view name = command.substr(0, space);
    std::wstring rest(command.substr(std::min(space + 1, command.size())));
    if (name == L"@handles") {
        std::printf("%zu handles\n", count_own_handles());
    } else if (name == L"@processes") {
        std::printf("%d processes\n", TroubleCommands::count_engine_processes());
    } else if (name == L"@milliseconds") {
        std::printf("%llu ms\n", GetTickCount64() - start_);
    } else if (name == L"@interrupt") {
        return interrupt(rest);
    } else if (name == L"@links") {
        return run_links();
    } else if (name == L"@analyze") {
        return analyze();
    } else if (name == L"@together") {
        return start_together(rest);
    } else if (name == L"@wait") {
        return wait_for_other();
    } else if (name == L"@repeat") {
        return repeat(rest);
    } else if (name == L"@event") {
        return wait_for_event(rest);
    } else {
        return trouble_.run(name, rest);
    }
    return S_OK;
}

HRESULT ExtensionCommands::interrupt(const std::wstring& moment) {
    // One that runs must not be faster than the thread that stops it.
    if (moment.starts_with(kEngine) && TroubleCommands::runs_engine(library_of(moment)))
        TroubleCommands::stop_engine(library_of(moment));
    interrupts_ = true;
    HANDLE thread = CreateThread(nullptr, 0, interrupt_later, new Interruption{control_, moment, &interrupts_}, 0, nullptr);
    if (thread == nullptr)
        return E_FAIL;
    if (!lasts(moment)) {
        CloseHandle(thread);
        return S_OK;
    }
    interrupter_ = thread;
    commands_to_interrupt_ = 1;
    return S_OK;
}

void ExtensionCommands::settle() {
    trouble_.wait_for_killer();
    if (interrupter_ == nullptr || commands_to_interrupt_-- > 0)
        return;
    interrupts_ = false;
    WaitForSingleObject(interrupter_, INFINITE);
    CloseHandle(interrupter_);
    interrupter_ = nullptr;
    while (control_->GetInterrupt() == S_OK) {
    }
}

HRESULT ExtensionCommands::run_links() {
    std::vector<std::string> links = links_;
    for (const std::string& link : links) {
        HRESULT result = control_->Execute(DEBUG_OUTCTL_THIS_CLIENT, link.c_str(), DEBUG_EXECUTE_DEFAULT);
        std::string text = output_.take();
        std::printf("link %s: 0x%08lx, %zu characters\n%s\n", link.c_str(), static_cast<unsigned long>(result), text.size(), text.substr(0, 20000).c_str());
    }
    std::printf("%zu links\n", links.size());
    return S_OK;
}

HRESULT ExtensionCommands::analyze() {
    auto entry = reinterpret_cast<HRESULT(CALLBACK*)(PDEBUG_CLIENT4, dumpext::AnalysisPhase, dumpext::FailureAnalysis*)>(
        reinterpret_cast<void*>(find_export("_EFN_Analyze")));
    if (entry == nullptr)
        return E_NOINTERFACE;
    for (int phase : {1, 2, 4, 8}) {
        AnalysisHost analysis;
        HRESULT result = entry(reinterpret_cast<PDEBUG_CLIENT4>(client_), static_cast<dumpext::AnalysisPhase>(phase), &analysis);
        std::printf("phase %d: 0x%08lx\n%s", phase, static_cast<unsigned long>(result), analysis.text().c_str());
    }
    return S_OK;
}

HRESULT ExtensionCommands::start_together(std::wstring_view call) {
    std::string text = to_utf8(call);
    size_t space = std::min(text.find(' '), text.size());
    auto command = reinterpret_cast<ExtensionCommand>(reinterpret_cast<void*>(find_export(text.substr(0, space))));
    if (command == nullptr)
        return E_NOINTERFACE;
    auto* other = new OtherCall{client_, command, text.substr(std::min(space + 1, text.size()))};
    HANDLE waits = CreateEventW(nullptr, TRUE, FALSE, L"dumpext-fault-waits");
    goes_on_ = CreateEventW(nullptr, TRUE, FALSE, L"dumpext-fault-goes-on");
    other_thread_ = CreateThread(nullptr, 0, call_together, other, 0, nullptr);
    DWORD result = WaitForSingleObject(waits, kLongestMilliseconds);
    CloseHandle(waits);
    return result == WAIT_OBJECT_0 ? S_OK : E_FAIL;
}

HRESULT ExtensionCommands::wait_for_other() {
    SetEvent(goes_on_);
    DWORD result = WaitForSingleObject(other_thread_, kLongestMilliseconds);
    CloseHandle(other_thread_);
    CloseHandle(goes_on_);
    return result == WAIT_OBJECT_0 ? S_OK : E_FAIL;
}

HRESULT ExtensionCommands::repeat(std::wstring_view text) {
    std::wstring rest(text);
    wchar_t* end = nullptr;
    ULONG times = std::wcstoul(rest.c_str(), &end, 10);
    for (ULONG i = 0; i < times; i++) {
        HRESULT result = control_->ExecuteWide(DEBUG_OUTCTL_THIS_CLIENT, end, DEBUG_EXECUTE_DEFAULT);
        if (FAILED(result))
            return result;
    }
    return S_OK;
}

HRESULT ExtensionCommands::wait_for_event(const std::wstring& milliseconds) {
    HANDLE stopper = nullptr;
    if (!milliseconds.empty()) {
        HRESULT result = control_->SetExecutionStatus(DEBUG_STATUS_GO);
        if (FAILED(result))
            return result;
        stopper = CreateThread(nullptr, 0, interrupt_later, new Interruption{control_, milliseconds, &interrupts_}, 0, nullptr);
    }
    HRESULT result = control_->WaitForEvent(0, kLongestMilliseconds);
    std::printf("event 0x%08lx\n", static_cast<unsigned long>(result));
    if (stopper != nullptr) {
        WaitForSingleObject(stopper, INFINITE);
        CloseHandle(stopper);
    }
    return S_OK;
}
