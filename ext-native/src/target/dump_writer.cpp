#include "target/dump_writer.hpp"

#include <array>
#include <cstring>
#include <exception>
#include <memory>
#include <utility>

#include "system/absolute_path.hpp"
#include "system/windows_error.hpp"
#include "target/minidump_layout.hpp"

namespace dumpext {

namespace {

namespace layout = minidump_layout;

constexpr const wchar_t* library_name = L"dbgcore.dll";
constexpr const char* writing_function_name = "MiniDumpWriteDump";

using WriteDump = BOOL(WINAPI*)(HANDLE process, DWORD id, HANDLE file, ULONG type, const void* exception, const void* streams, const void* callback);

struct FreeLibraryCall {
    void operator()(HMODULE library) const { FreeLibrary(library); }
};

using Library = std::unique_ptr<std::remove_pointer_t<HMODULE>, FreeLibraryCall>;

/// The folder of the debugger's engine, with a backslash behind it: that of the library whose code the debugger's own object runs.
std::wstring engine_directory(const Debugger& debugger) {
    HMODULE engine = nullptr;
    const void* methods = *reinterpret_cast<void* const*>(debugger.client.get());
    constexpr DWORD of_address = GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
    if (!GetModuleHandleExW(of_address, static_cast<LPCWSTR>(methods), &engine)) {
        return {};
    }

    std::wstring path(longest_path, L'\0');
    const DWORD length = GetModuleFileNameW(engine, path.data(), longest_path);
    path.resize(length < longest_path ? length : 0);
    return path.substr(0, path.find_last_of(L'\\') + 1);
}

std::wstring system_directory() {
    std::array<wchar_t, MAX_PATH + 1> path{};
    const UINT length = GetSystemDirectoryW(path.data(), static_cast<UINT>(path.size()));
    return length == 0 || length >= path.size() ? std::wstring() : std::wstring(path.data(), length) + L'\\';
}

/// By its full path: a library of that name in another folder on the search path is nobody's but its owner's.
Library load_writer(const Debugger& debugger) {
    for (const std::wstring& directory : {engine_directory(debugger), system_directory()}) {
        if (!directory.empty()) {
            constexpr DWORD from_there = LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR | LOAD_LIBRARY_SEARCH_SYSTEM32;
            if (Library library{LoadLibraryExW((directory + library_name).c_str(), nullptr, from_there)}) {
                return library;
            }
        }
    }

    return {};
}

template <typename Value>
Value value_at(const char* bytes, std::size_t offset) {
    Value value{};
    std::memcpy(&value, bytes + offset, sizeof value);
    return value;
}

template <typename Value>
void put(char* bytes, std::size_t offset, const Value& value) {
    // NOLINTNEXTLINE(bugprone-sizeof-expression): of a pointer the pointer itself is stored
    std::memcpy(bytes + offset, &value, sizeof value);
}

/// What is written, and why it ends early.
struct Writing {
    const Debugger& debugger;
    std::string bytes;
    bool is_interrupted;

    /// Takes bytes that belong to an offset; the writer goes back and forth.
    HRESULT take(std::uint64_t offset, const char* buffer, std::uint32_t count) noexcept {
        if (offset > longest_description || count > longest_description - offset) {
            return E_OUTOFMEMORY;
        }

        try {
            const auto start = static_cast<std::size_t>(offset);
            if (bytes.size() < start + count) {
                bytes.resize(start + count);
            }

            bytes.replace(start, count, buffer, count);
            return S_OK;
        } catch (const std::exception&) {
            return E_OUTOFMEMORY;
        }
    }
};

/// MINIDUMP_CALLBACK_ROUTINE.
BOOL CALLBACK answer_writer(void* parameter, const void* input, void* output) {
    Writing& writing = *static_cast<Writing*>(parameter);
    const char* const asked = static_cast<const char*>(input);
    char* const answer = static_cast<char*>(output);
    switch (value_at<std::uint32_t>(asked, layout::input_type)) {
    case layout::io_start_callback:
        // S_FALSE says that the bytes go here.
        put(answer, layout::output_status, S_FALSE);
        return TRUE;
    case layout::io_write_all_callback:
        put(answer, layout::output_status, writing.take(value_at<std::uint64_t>(asked, layout::input_offset),
            value_at<const char*>(asked, layout::input_buffer), value_at<std::uint32_t>(asked, layout::input_buffer_bytes)));
        return TRUE;
    case layout::io_finish_callback:
        put(answer, layout::output_status, S_OK);
        return TRUE;
    case layout::thread_callback:
    case layout::thread_ex_callback:
        put(answer, layout::output_thread_flags, value_at<std::uint32_t>(answer, layout::output_thread_flags) & layout::thread_without_memory);
        return TRUE;
    case layout::cancel_callback:
        // Asking takes the wish back.
        writing.is_interrupted = writing.is_interrupted || writing.debugger.is_interrupted();
        put(answer, layout::output_check_cancel, BOOL{TRUE});
        put(answer, layout::output_cancel, BOOL{writing.is_interrupted ? TRUE : FALSE});
        return TRUE;
    case layout::memory_callback:
    case layout::remove_memory_callback:
        return FALSE;
    default:
        return TRUE;
    }
}

bool write_with(WriteDump write, HANDLE process, DWORD id, const std::wstring& comment, const LastEvent* event, Writing& writing) {
    std::array<char, layout::stream_size> stream{};
    put(stream.data(), 0, layout::comment_stream);
    put(stream.data(), layout::stream_bytes, static_cast<std::uint32_t>((comment.size() + 1) * sizeof(wchar_t)));
    put(stream.data(), layout::stream_address, comment.c_str());
    std::array<char, layout::streams_size> streams{};
    put(streams.data(), 0, std::uint32_t{1});
    put(streams.data(), layout::streams_address, stream.data());
    std::array<char, layout::information_size> callback{};
    put(callback.data(), 0, &answer_writer);
    put(callback.data(), layout::information_parameter, &writing);
    LastEvent copy = event == nullptr ? LastEvent{} : *event;
    const EXCEPTION_POINTERS pointers{&copy.exception, &copy.context};
    std::array<char, layout::exception_size> exception{};
    put(exception.data(), 0, copy.thread);
    put(exception.data(), layout::exception_pointers, &pointers);
    constexpr std::uint32_t content = layout::with_handle_data | layout::with_unloaded_modules | layout::with_full_memory_info | layout::with_thread_info |
                                      layout::without_auxiliary_state | layout::ignore_inaccessible_memory;
    return write(process, id, nullptr, content, event == nullptr ? nullptr : exception.data(), streams.data(), callback.data()) != FALSE;
}

}

std::optional<std::string> write_small_dump(const Debugger& debugger, std::wstring_view comment, const LastEvent* event) {
    ULONG64 process = 0;
    ULONG id = 0;
    if (FAILED(debugger.objects->GetCurrentProcessHandle(&process)) || FAILED(debugger.objects->GetCurrentProcessSystemId(&id))) {
        return std::nullopt;
    }

    const Library library = load_writer(debugger);
    const auto write = library ? reinterpret_cast<WriteDump>(reinterpret_cast<void*>(GetProcAddress(library.get(), writing_function_name))) : nullptr;
    if (write == nullptr) {
        return std::nullopt;
    }

    Writing writing{debugger, {}, debugger.is_interrupted()};
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the debugger gives handles as numbers
    const bool is_written = !writing.is_interrupted && write_with(write, reinterpret_cast<HANDLE>(process), id, std::wstring(comment), event, writing);
    if (writing.is_interrupted) {
        throw CommandError("interrupted; the process was not described to the end");
    }

    return is_written && !writing.bytes.empty() ? std::optional(std::move(writing.bytes)) : std::nullopt;
}

}
