#include "target/process_description.hpp"

#include <cstring>
#include <optional>
#include <utility>

#include "target/current_registers.hpp"
#include "target/dump_writer.hpp"
#include "target/minidump_layout.hpp"
#include "target/snapshot_file.hpp"

namespace dumpext {

namespace {

namespace layout = minidump_layout;

/// A number of 32 bits; 0 when it lies behind the end.
std::uint32_t number_at(const std::string& bytes, std::uint64_t offset) {
    std::uint32_t number = 0;
    if (offset + sizeof number <= bytes.size()) {
        std::memcpy(&number, bytes.data() + offset, sizeof number);
    }

    return number;
}

/// Where the list of threads stands; 0 for nowhere.
std::uint64_t find_threads(const std::string& bytes) {
    const std::uint64_t directory = number_at(bytes, layout::header_directory);
    const std::uint64_t count = number_at(bytes, layout::header_streams);
    for (std::uint64_t i = 0; i < count && directory + i * layout::directory_entry_size < bytes.size(); i++) {
        const std::uint64_t entry = directory + i * layout::directory_entry_size;
        if (number_at(bytes, entry) == layout::thread_list_stream) {
            return number_at(bytes, entry + layout::directory_rva);
        }
    }

    return 0;
}

/// Puts the debugger's registers of its current thread in the place of those that the system has.
void put_registers(std::string& bytes, const CurrentRegisters& current) {
    const std::uint64_t threads = find_threads(bytes);
    const std::uint64_t count = threads == 0 ? 0 : number_at(bytes, threads);
    for (std::uint64_t i = 0; i < count; i++) {
        const std::uint64_t thread = threads + layout::thread_list_header_size + i * layout::thread_size;
        if (thread + layout::thread_size > bytes.size()) {
            return;
        }

        const std::uint64_t place = number_at(bytes, thread + layout::thread_context_rva);
        if (number_at(bytes, thread) != current.thread || number_at(bytes, thread + layout::thread_context_size) < sizeof(CONTEXT) ||
            place + sizeof(CONTEXT) > bytes.size()) {
            continue;
        }

        CONTEXT context{};
        std::memcpy(&context, bytes.data() + place, sizeof context);
        take_integers(context, current.context);
        std::memcpy(bytes.data() + place, &context, sizeof context);
    }
}

constexpr const wchar_t* comment = L"running process, whose memory dumpext read through the debugger";

std::wstring new_name(ULONG process) {
    static std::uint32_t count = 0;
    return L"process-" + std::to_wstring(process) + L"-" + std::to_wstring(GetTickCount64()) + L"-" + std::to_wstring(count++);
}

}

std::string ProcessDescription::read(std::uint64_t offset, std::uint32_t length) const {
    return offset < bytes.size() ? bytes.substr(static_cast<std::size_t>(offset), length) : std::string();
}

ProcessDescription describe_process(const Debugger& debugger) {
    ULONG process = 0;
    debugger.objects->GetCurrentProcessSystemId(&process);
    const auto current = current_registers(debugger);
    const auto event = find_last_event(debugger, current);
    if (auto bytes = write_small_dump(debugger, comment, event ? &*event : nullptr)) {
        if (current) {
            put_registers(*bytes, *current);
        }

        return {new_name(process), std::move(*bytes)};
    }

    return {new_name(process), SnapshotFile(debugger, SnapshotContent::description).read_all(longest_description)};
}

}
