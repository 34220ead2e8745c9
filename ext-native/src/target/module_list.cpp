#include "target/module_list.hpp"

#include "system/absolute_path.hpp"

namespace dumpext {

namespace {

constexpr ULONG most_modules = 4096;

}

std::optional<std::vector<DEBUG_MODULE_PARAMETERS>> list_modules(const Debugger& debugger) {
    ULONG loaded = 0;
    ULONG unloaded = 0;
    if (FAILED(debugger.symbols->GetNumberModules(&loaded, &unloaded)) || loaded == 0 || loaded > most_modules) {
        return std::nullopt;
    }

    std::vector<DEBUG_MODULE_PARAMETERS> modules(loaded);
    if (FAILED(debugger.symbols->GetModuleParameters(loaded, nullptr, 0, modules.data()))) {
        return std::nullopt;
    }

    return modules;
}

std::wstring module_name(const Debugger& debugger, std::uint64_t base, ULONG which) {
    std::wstring name(longest_path, L'\0');
    ULONG size = 0;
    const HRESULT result = debugger.symbols->GetModuleNameStringWide(which, DEBUG_ANY_ID, base, name.data(), longest_path, &size);
    name.resize(result == S_OK && size > 0 && size <= longest_path ? size - 1 : 0);
    return name;
}

}
