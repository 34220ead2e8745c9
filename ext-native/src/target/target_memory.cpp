#include "target/target_memory.hpp"

#include <algorithm>

namespace dumpext {

std::string read_memory(const Debugger& debugger, std::uint64_t address, std::uint32_t length) {
    std::string bytes(length, '\0');
    ULONG count = 0;
    // Past the debugger's cache, which would grow by all that the engine looks at; the engine has its own.
    const HRESULT result = debugger.memory->ReadVirtualUncached(address, bytes.data(), length, &count);
    bytes.resize(SUCCEEDED(result) ? std::min<std::size_t>(count, length) : 0);
    return bytes;
}

}
