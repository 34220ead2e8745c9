#include "engine/engine_environment.hpp"

#include <windows.h>

#include <algorithm>
#include <array>
#include <memory>

#include "engine/contract.hpp"

namespace dumpext {

namespace {

bool starts_with_ignoring_case(std::wstring_view text, std::wstring_view start) {
    return text.size() >= start.size() &&
           CompareStringOrdinal(text.data(), static_cast<int>(start.size()), start.data(), static_cast<int>(start.size()), TRUE) == CSTR_EQUAL;
}

bool is_same_name(std::wstring_view name, std::wstring_view other) { return name.size() == other.size() && starts_with_ignoring_case(name, other); }

bool is_left_out(std::wstring_view variable) {
    const std::wstring_view name = variable.substr(0, variable.find(L'='));
    if (is_same_name(name, contract::symbol_path_variable)) {
        return true;
    }

    if (is_same_name(name, contract::write_xor_execute_variable)) {
        return false;
    }

    constexpr std::array<std::wstring_view, 4> prefixes{L"DOTNET_", L"COMPlus_", L"CORECLR_", L"COR_"};
    return std::any_of(prefixes.begin(), prefixes.end(), [&](std::wstring_view prefix) { return starts_with_ignoring_case(variable, prefix); });
}

}

std::wstring engine_environment() {
    const std::unique_ptr<wchar_t, decltype(&FreeEnvironmentStringsW)> variables(GetEnvironmentStringsW(), &FreeEnvironmentStringsW);
    std::wstring block;
    for (const wchar_t* next = variables.get(); next != nullptr && *next != L'\0';) {
        const std::wstring_view variable(next);
        if (!is_left_out(variable)) {
            block += variable;
            block += L'\0';
        }

        next += variable.size() + 1;
    }

    return block + L'\0';
}

}
