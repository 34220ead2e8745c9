#include "commands/argument_text.hpp"

#include <windows.h>

#include <limits>
#include <string_view>

#include "system/wide_text.hpp"

namespace dumpext {

std::string argument_text(const char* arguments) {
    const std::string_view text = arguments == nullptr ? std::string_view{} : std::string_view(arguments);
    if (is_utf8(text) || text.size() > std::numeric_limits<int>::max()) {
        return std::string(text);
    }

    const int size = static_cast<int>(text.size());
    std::wstring wide(text.size(), L'\0');
    wide.resize(static_cast<std::size_t>(MultiByteToWideChar(CP_ACP, 0, text.data(), size, wide.data(), size)));
    return narrow(wide);
}

}
