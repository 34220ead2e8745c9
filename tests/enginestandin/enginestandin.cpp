// Stands in for dumpanalyze.exe beside the debugger extension and says how it was called, a line each: "directory DIRECTORY",
// "symbols SYMBOL PATH", "setting NAME=VALUE" for each variable that steers .NET runtimes, "argument WORD" in order. Variables make it print
// something else instead: STANDIN_BYTES=N so many bytes in lines of 100, STANDIN_LINE=N one line of markup of about N bytes (a link around all of
// it, with words in bold), STANDIN_NESTED=N so many arrays of JSON inside each other.
#include "utf8.h"

#include <windows.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cwchar>
#include <string>
#include <string_view>

namespace {

constexpr size_t kLineSize = 100;

std::wstring variable(const wchar_t* name) {
    std::array<wchar_t, 4096> value{};
    DWORD length = GetEnvironmentVariableW(name, value.data(), static_cast<DWORD>(value.size()));
    return {value.data(), std::min<size_t>(length, value.size() - 1)};
}

size_t number(const wchar_t* name) { return std::wcstoul(variable(name).c_str(), nullptr, 10); }

void print_lines(size_t bytes) {
    const std::string line(kLineSize - 1, 'x');
    for (size_t i = 0; i < bytes / kLineSize; i++)
        std::printf("%s\n", line.c_str());
}

void print_long_line(size_t bytes) {
    std::string line = "<link cmd=\"~~[c4]k\">";
    for (int i = 0; line.size() < bytes; i++)
        line += "<b>" + std::to_string(i) + "</b> &lt;\xC3\xBC&gt; ";
    std::printf("%s</link>\nlast\n", line.c_str());
}

bool begins(const wchar_t* variable, std::wstring_view prefix) { return _wcsnicmp(variable, prefix.data(), prefix.size()) == 0; }

void print_settings() {
    wchar_t* variables = GetEnvironmentStringsW();
    for (const wchar_t* next = variables; *next != L'\0'; next += std::wcslen(next) + 1)
        if (begins(next, L"DOTNET_") || begins(next, L"COMPlus_") || begins(next, L"CORECLR_") || begins(next, L"COR_"))
            std::printf("setting %s\n", to_utf8(next).c_str());
    FreeEnvironmentStringsW(variables);
}

void print_call(int count, wchar_t** arguments) {
    std::array<wchar_t, 4096> directory{};
    GetCurrentDirectoryW(static_cast<DWORD>(directory.size()), directory.data());
    std::printf("directory %s\nsymbols %s\n", to_utf8(directory.data()).c_str(), to_utf8(variable(L"_NT_SYMBOL_PATH").c_str()).c_str());
    print_settings();
    for (int i = 1; i < count; i++)
        std::printf("argument %s\n", to_utf8(arguments[i]).c_str());
}

}  // namespace

int wmain(int count, wchar_t** arguments) {
    if (size_t bytes = number(L"STANDIN_BYTES"); bytes > 0)
        print_lines(bytes);
    else if (size_t length = number(L"STANDIN_LINE"); length > 0)
        print_long_line(length);
    else if (size_t depth = number(L"STANDIN_NESTED"); depth > 0)
        std::printf("%s\n", std::string(depth, '[').append(depth, ']').c_str());
    else
        print_call(count, arguments);
    return 0;
}
