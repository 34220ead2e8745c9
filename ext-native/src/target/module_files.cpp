#include "target/module_files.hpp"

#include <array>
#include <set>

#include "system/absolute_path.hpp"
#include "target/module_list.hpp"

namespace dumpext {

namespace {

/// Whether the debugger has opened a symbol file; of others it gives the image's name in its place, which may be one that only the dump names.
bool has_symbol_file(const DEBUG_MODULE_PARAMETERS& module) {
    switch (module.SymbolType) {
    case DEBUG_SYMTYPE_CODEVIEW:
    case DEBUG_SYMTYPE_PDB:
    case DEBUG_SYMTYPE_SYM:
    case DEBUG_SYMTYPE_DIA:
        return true;
    default:
        return false;
    }
}

/// A full path on a drive. A share that a dump names is not touched: asking it for a file hands out the user's credentials.
bool is_on_drive(const std::wstring& path) { return path.size() > 3 && path[1] == L':' && (path[2] == L'\\' || path[2] == L'/'); }

bool is_file(const std::wstring& path) {
    const DWORD attributes = path.empty() ? INVALID_FILE_ATTRIBUTES : GetFileAttributesW(path.c_str());
    return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) == 0;
}

}

std::vector<std::wstring> find_module_files(const Debugger& debugger) {
    std::set<std::wstring> seen;
    std::vector<std::wstring> files;
    const auto add = [&](std::wstring path) {
        if (is_file(path) && seen.insert(path = absolute_path(path)).second) {
            files.push_back(std::move(path));
        }
    };
    for (const DEBUG_MODULE_PARAMETERS& module : list_modules(debugger).value_or(std::vector<DEBUG_MODULE_PARAMETERS>{})) {
        if (has_symbol_file(module)) {
            add(module_name(debugger, module.Base, DEBUG_MODNAME_SYMBOL_FILE));
        }

        add(module_name(debugger, module.Base, DEBUG_MODNAME_MAPPED_IMAGE));
        if (std::wstring image = module_name(debugger, module.Base, DEBUG_MODNAME_LOADED_IMAGE); is_on_drive(image)) {
            add(std::move(image));
        }
    }

    return files;
}

}
