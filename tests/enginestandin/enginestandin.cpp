// Stands in for dumpanalyze.exe beside the debugger extension: takes the questions of a session (ext-native/src/engine/session_protocol.hpp) and says how it was
// asked, a line each: "directory DIRECTORY", "symbols SYMBOL PATH", "setting NAME=VALUE" for each variable that steers .NET runtimes, "argument WORD" in order.
// Variables make it print something else instead: STANDIN_BYTES=N so many bytes in lines of 100, STANDIN_LINE=N one line of markup of about N bytes (a link
// around all of it, with words in bold), STANDIN_NESTED=N so many arrays of JSON inside each other, STANDIN_MEMORY=N "memory N" with the number of bytes that came
// for a request of N bytes from the address that STANDIN_ADDRESS has (with STANDIN_DESCRIPTION=1
// of the description, from that offset on), STANDIN_FLOOD=1 nothing, for ever, and requests for memory whose answers nobody reads.
#include "utf8.h"

#include <fcntl.h>
#include <io.h>
#include <windows.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <cwchar>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr size_t kLineSize = 100;
constexpr size_t kPieceSize = 65536;

std::wstring variable(const wchar_t* name) {
    std::array<wchar_t, 4096> value{};
    DWORD length = GetEnvironmentVariableW(name, value.data(), static_cast<DWORD>(value.size()));
    return {value.data(), std::min<size_t>(length, value.size() - 1)};
}

size_t number(const wchar_t* name) { return std::wcstoul(variable(name).c_str(), nullptr, 10); }

// The symbol path, the name that stands for a process, and the arguments; empty at the end of the session.
std::vector<std::string> read_question() {
    unsigned long size = 0;
    if (std::fread(&size, 1, 4, stdin) != 4)
        return {};
    std::string bytes(size, '\0');
    if (std::fread(bytes.data(), 1, size, stdin) != size)
        return {};
    std::vector<std::string> texts;
    for (size_t start = 0; start < bytes.size(); start += texts.back().size() + 1)
        texts.emplace_back(bytes.c_str() + start);
    return texts;
}

// At most 1 MiB.
void write_piece(char kind, const std::string& bytes) {
    auto size = static_cast<unsigned long>(bytes.size());
    std::fwrite(&kind, 1, 1, stdout);
    std::fwrite(&size, 1, 4, stdout);
    std::fwrite(bytes.data(), 1, bytes.size(), stdout);
    std::fflush(stdout);
}

void request_memory(unsigned long long address, unsigned long length) {
    std::string request(12, '\0');
    std::memcpy(request.data(), &address, 8);
    std::memcpy(request.data() + 8, &length, 4);
    write_piece(number(L"STANDIN_DESCRIPTION") > 0 ? 6 : 4, request);
}

void print_memory(unsigned long long address, unsigned long length) {
    request_memory(address, length);
    unsigned long count = 0;
    if (std::fread(&count, 1, 4, stdin) != 4)
        return;
    std::string bytes(count, '\0');
    write_piece(1, "memory " + std::to_string(std::fread(bytes.data(), 1, count, stdin)) + "\n");
}

// Of memory that every process of Windows has.
void flood() {
    for (;;)
        request_memory(0x7FFE0000, 4096);
}

void print_lines(size_t bytes) {
    const std::string line = std::string(kLineSize - 1, 'x') + "\n";
    for (size_t i = 0; i < bytes / kLineSize; i++)
        write_piece(1, line);
}

void print_long_line(size_t bytes) {
    std::string line = "<link cmd=\"~~[c4]k\">";
    for (int i = 0; line.size() < bytes; i++)
        line += "<b>" + std::to_string(i) + "</b> &lt;\xC3\xBC&gt; ";
    write_piece(1, line + "</link>\nlast\n");
}

void print_nested(size_t depth) {
    const std::string all = std::string(depth, '[').append(depth, ']') + "\n";
    for (size_t start = 0; start < all.size(); start += kPieceSize)
        write_piece(1, all.substr(start, kPieceSize));
}

bool begins(const wchar_t* variable, std::wstring_view prefix) { return _wcsnicmp(variable, prefix.data(), prefix.size()) == 0; }

std::string settings() {
    std::string lines;
    wchar_t* variables = GetEnvironmentStringsW();
    for (const wchar_t* next = variables; *next != L'\0'; next += std::wcslen(next) + 1)
        if (begins(next, L"DOTNET_") || begins(next, L"COMPlus_") || begins(next, L"CORECLR_") || begins(next, L"COR_"))
            lines += "setting " + to_utf8(next) + "\n";
    FreeEnvironmentStringsW(variables);
    return lines;
}

void print_question(const std::vector<std::string>& question) {
    std::array<wchar_t, 4096> directory{};
    GetCurrentDirectoryW(static_cast<DWORD>(directory.size()), directory.data());
    write_piece(1, "directory " + to_utf8(directory.data()) + "\nsymbols " + question[0] + "\n" + settings());
    for (size_t i = 2; i < question.size(); i++)
        write_piece(1, "argument " + question[i] + "\n");
}

}  // namespace

int wmain() {
    _setmode(_fileno(stdin), _O_BINARY);
    _setmode(_fileno(stdout), _O_BINARY);
    for (std::vector<std::string> question = read_question(); !question.empty(); question = read_question()) {
        write_piece(1, "");
        if (size_t bytes = number(L"STANDIN_BYTES"); bytes > 0)
            print_lines(bytes);
        else if (size_t length = number(L"STANDIN_LINE"); length > 0)
            print_long_line(length);
        else if (size_t depth = number(L"STANDIN_NESTED"); depth > 0)
            print_nested(depth);
        else if (size_t memory = number(L"STANDIN_MEMORY"); memory > 0)
            print_memory(_wcstoui64(variable(L"STANDIN_ADDRESS").c_str(), nullptr, 16), static_cast<unsigned long>(memory));
        else if (number(L"STANDIN_FLOOD") > 0)
            flood();
        else
            print_question(question);
        write_piece(3, std::string(4, '\0'));
    }
    return 0;
}
