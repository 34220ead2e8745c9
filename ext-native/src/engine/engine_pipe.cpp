#include "engine/engine_pipe.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>

#include "system/windows_error.hpp"

namespace dumpext {

namespace {

constexpr std::size_t buffer_bytes = std::size_t{64} * 1024;
constexpr std::size_t most_read_at_once = std::size_t{1024} * 1024;
constexpr std::size_t most_written_at_once = std::size_t{1024} * 1024;
constexpr DWORD pipe_poll_milliseconds = 10;

/// Pipes without a name can only be waited for by a thread of its own.
std::wstring unused_name() {
    static std::atomic<unsigned> count{0};
    LARGE_INTEGER now{};
    QueryPerformanceCounter(&now);
    return L"\\\\.\\pipe\\dumpext-" + std::to_wstring(GetCurrentProcessId()) + L"-" + std::to_wstring(now.QuadPart) + L"-" + std::to_wstring(count++);
}

}

EnginePipe::EnginePipe(Direction direction, DWORD bytes) : event_(CreateEventW(nullptr, TRUE, FALSE, nullptr)) {
    const bool is_to_engine = direction == Direction::to_engine;
    const std::wstring name = unused_name();
    const DWORD access = (is_to_engine ? PIPE_ACCESS_OUTBOUND : PIPE_ACCESS_INBOUND) | FILE_FLAG_OVERLAPPED | FILE_FLAG_FIRST_PIPE_INSTANCE;
    own_end_ = UniqueHandle(
        CreateNamedPipeW(name.c_str(), access, PIPE_TYPE_BYTE | PIPE_READMODE_BYTE | PIPE_WAIT | PIPE_REJECT_REMOTE_CLIENTS, 1, bytes, bytes, 0, nullptr));
    if (!event_ || !own_end_) {
        throw last_error("cannot make a pipe to the engine");
    }

    SECURITY_ATTRIBUTES inheritable{sizeof inheritable, nullptr, TRUE};
    // The other right lets the engine ask what it was given, as it may of a pipe without a name.
    const DWORD engine_access = is_to_engine ? GENERIC_READ | FILE_WRITE_ATTRIBUTES : GENERIC_WRITE | FILE_READ_ATTRIBUTES;
    engine_end_ = UniqueHandle(CreateFileW(name.c_str(), engine_access, 0, &inheritable, OPEN_EXISTING, 0, nullptr));
    if (!engine_end_) {
        throw last_error("cannot make a pipe to the engine");
    }

    buffer_.resize(is_to_engine ? 0 : buffer_bytes);
}

bool EnginePipe::write(std::string_view bytes, HANDLE process, const std::function<bool()>& gives_up) {
    while (!bytes.empty()) {
        OVERLAPPED operation{};
        operation.hEvent = event_.get();
        const auto size = static_cast<DWORD>(std::min(bytes.size(), most_written_at_once));
        DWORD count = 0;
        if (!WriteFile(own_end_.get(), bytes.data(), size, nullptr, &operation) && GetLastError() != ERROR_IO_PENDING) {
            return false;
        }

        if (!finish_write(operation, count, process, gives_up)) {
            return false;
        }

        bytes.remove_prefix(count);
    }

    return true;
}

bool EnginePipe::finish_write(OVERLAPPED& operation, DWORD& count, HANDLE process, const std::function<bool()>& gives_up) const {
    const std::array<HANDLE, 2> awaited{operation.hEvent, process};
    for (;;) {
        const DWORD came = WaitForMultipleObjects(static_cast<DWORD>(awaited.size()), awaited.data(), FALSE, pipe_poll_milliseconds);
        if (came == WAIT_OBJECT_0) {
            break;
        }

        // The system must not read the bytes any more when they go.
        if (came != WAIT_TIMEOUT || gives_up()) {
            CancelIoEx(own_end_.get(), &operation);
            GetOverlappedResult(own_end_.get(), &operation, &count, TRUE);
            return false;
        }
    }

    return GetOverlappedResult(own_end_.get(), &operation, &count, TRUE) != FALSE && count > 0;
}

std::string EnginePipe::read() {
    std::string result;
    while (!has_ended_ && result.size() < most_read_at_once) {
        begin_read();
        DWORD count = 0;
        if (!is_reading_) {
            break;
        }

        if (!GetOverlappedResult(own_end_.get(), &reading_, &count, FALSE)) {
            if (GetLastError() == ERROR_IO_INCOMPLETE) {
                break;
            }

            has_ended_ = true;
            count = 0;
        }

        is_reading_ = false;
        result.append(buffer_.data(), count);
    }

    return result;
}

void EnginePipe::begin_read() {
    if (is_reading_) {
        return;
    }

    reading_ = {};
    reading_.hEvent = event_.get();
    const BOOL is_done = ReadFile(own_end_.get(), buffer_.data(), static_cast<DWORD>(buffer_.size()), nullptr, &reading_);
    is_reading_ = is_done != FALSE || GetLastError() == ERROR_IO_PENDING;
    has_ended_ = !is_reading_;
}

void EnginePipe::close() {
    if (is_reading_) {
        // The system must not write into the buffer any more when it goes.
        DWORD count = 0;
        CancelIoEx(own_end_.get(), &reading_);
        GetOverlappedResult(own_end_.get(), &reading_, &count, TRUE);
        is_reading_ = false;
    }

    has_ended_ = true;
    own_end_.close();
    engine_end_.close();
}

}
