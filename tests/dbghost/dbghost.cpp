// dbghost DBGENG BANNER DUMP [COMMAND...]: opens a dump in the given debugger engine and prints what the commands print.
//
// BANNER is the engine's version, for example 10.0.29507. The engine must state it itself, so that another engine, which Wine may put in
// the place of the wanted one without a word, never passes for it. Each command's output is preceded by the line "> COMMAND".
// Exit status: 0 done, 1 the engine refused something (said on standard error), 2 wrong arguments, 3 another engine answered.
#include "debug_engine.h"

#include <cstdio>
#include <string>
#include <string_view>

namespace {

constexpr ULONG kEventTimeoutMilliseconds = 60000;

enum ExitStatus { kDone = 0, kRefused = 1, kUsage = 2, kOtherEngine = 3 };

std::string to_utf8(std::wstring_view text) {
    if (text.empty())
        return {};
    int size = WideCharToMultiByte(CP_UTF8, 0, text.data(), static_cast<int>(text.size()), nullptr, 0, nullptr, nullptr);
    std::string bytes(static_cast<size_t>(size), '\0');
    WideCharToMultiByte(CP_UTF8, 0, text.data(), static_cast<int>(text.size()), bytes.data(), size, nullptr, nullptr);
    return bytes;
}

// Collects the engine's output. Lives as long as the process, so it counts no references.
class OutputCollector final : public IDebugOutputCallbacksWide {
public:
    STDMETHODIMP QueryInterface(REFIID id, void** object) override {
        bool known = IsEqualIID(id, IID_IDebugOutputCallbacksWide) || IsEqualIID(id, kUnknown);
        *object = known ? this : nullptr;
        return known ? S_OK : E_NOINTERFACE;
    }
    STDMETHODIMP_(ULONG) AddRef() override { return 1; }
    STDMETHODIMP_(ULONG) Release() override { return 1; }

    STDMETHODIMP Output(ULONG, PCWSTR text) override {
        text_ += to_utf8(text);
        return S_OK;
    }

    std::string take() { return std::move(text_); }

private:
    // IID_IUnknown, spelled out to need no import library.
    static constexpr GUID kUnknown = {0, 0, 0, {0xC0, 0, 0, 0, 0, 0, 0, 0x46}};
    std::string text_;
};

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

    static OutputCollector output;
    client->SetOutputCallbacksWide(&output);
    result = client->OpenDumpFileWide(arguments[3], 0);
    if (FAILED(result))
        return refused("opening the dump", result);
    result = control->WaitForEvent(0, kEventTimeoutMilliseconds);
    if (FAILED(result))
        return refused("reading the dump", result);
    output.take();
    if (!states_banner(control, output, arguments[2])) {
        std::fprintf(stderr, "dbghost: this engine is not version %s\n", to_utf8(arguments[2]).c_str());
        return kOtherEngine;
    }

    for (int i = 4; i < count; i++) {
        result = control->ExecuteWide(DEBUG_OUTCTL_THIS_CLIENT, arguments[i], DEBUG_EXECUTE_DEFAULT);
        std::printf("> %s\n%s", to_utf8(arguments[i]).c_str(), output.take().c_str());
        if (FAILED(result))
            return refused("a command", result);
    }
    client->EndSession(DEBUG_END_PASSIVE);
    return kDone;
}

}  // namespace

int wmain(int count, wchar_t** arguments) {
    if (count < 4) {
        std::fprintf(stderr, "usage: dbghost DBGENG BANNER DUMP [COMMAND...]\n");
        return kUsage;
    }
    int status = run(count, arguments);
    std::fflush(stdout);
    std::fflush(stderr);
    // Not through the exit code of the libraries: the engine's threads may still run.
    TerminateProcess(GetCurrentProcess(), static_cast<UINT>(status));
    return status;
}
