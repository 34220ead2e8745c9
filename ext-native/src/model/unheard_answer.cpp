#include "model/unheard_answer.hpp"

#include <atomic>
#include <exception>
#include <optional>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "commands/commands.hpp"
#include "system/absolute_path.hpp"
#include "system/com_pointer.hpp"

namespace dumpext {

namespace {

/// What is to be collected, and then is.
struct Pending {
    IDebugClient* client;
    std::optional<JsonValue> report;
    std::exception_ptr failure;
};

std::atomic<Pending*> pending{nullptr};  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables): handed over through the debugger

/// The name by which the debugger knows this library: that of its file, without the extension.
std::wstring own_name() {
    HMODULE module = nullptr;
    std::wstring path(longest_path, L'\0');
    constexpr DWORD by_address = GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
    if (!GetModuleHandleExW(by_address, reinterpret_cast<LPCWSTR>(&answer_unheard), &module)) {
        return {};
    }

    path.resize(GetModuleFileNameW(module, path.data(), static_cast<DWORD>(path.size())));
    const std::wstring file = path.substr(path.find_last_of(L'\\') + 1);
    return file.substr(0, file.rfind(L'.'));
}

}

JsonValue collect_unheard_report(IDebugClient* client) {
    Pending asked{client, {}, {}};
    const auto control = ComPointer<IDebugControl4>::query(client);
    if (const std::wstring name = own_name(); control && !name.empty()) {
        pending.store(&asked);
        control->ExecuteWide(DEBUG_OUTCTL_IGNORE, (L"!" + name + L".dxanswer").c_str(), DEBUG_EXECUTE_NOT_LOGGED | DEBUG_EXECUTE_NO_REPEAT);
        pending.store(nullptr);
    }

    if (asked.failure) {
        std::rethrow_exception(asked.failure);
    }

    // Where the debugger knows the library by another name, it is heard.
    return asked.report ? std::move(*asked.report) : collect_report(client);
}

HRESULT answer_unheard() noexcept {
    Pending* const asked = pending.exchange(nullptr);
    if (asked == nullptr) {
        return E_FAIL;
    }

    try {
        asked->report = collect_report(asked->client);
    } catch (...) {
        asked->failure = std::current_exception();
    }

    return S_OK;
}

}
