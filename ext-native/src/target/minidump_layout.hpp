#pragma once

#include <cstddef>
#include <cstdint>

// What MiniDumpWriteDump takes, what its callback gets, and what it writes, as far as it is used here: minidumpapiset.h of the Windows SDK, which packs these
// structures to 4 bytes, for 64-bit programs. As offsets, because mingw's header declares MINIDUMP_CALLBACK_OUTPUT otherwise than Microsoft's.

namespace dumpext::minidump_layout {

/// MINIDUMP_TYPE.
inline constexpr std::uint32_t with_handle_data = 0x4;
inline constexpr std::uint32_t with_unloaded_modules = 0x20;
inline constexpr std::uint32_t with_full_memory_info = 0x800;
inline constexpr std::uint32_t with_thread_info = 0x1000;
/// Else libraries that the process names, such as the data-access library of its .NET runtime, are loaded to write more.
inline constexpr std::uint32_t without_auxiliary_state = 0x4000;
inline constexpr std::uint32_t ignore_inaccessible_memory = 0x20000;

/// MINIDUMP_CALLBACK_TYPE.
inline constexpr std::uint32_t thread_callback = 1;
inline constexpr std::uint32_t thread_ex_callback = 2;
/// To say false ends the questions.
inline constexpr std::uint32_t memory_callback = 5;
inline constexpr std::uint32_t cancel_callback = 6;
inline constexpr std::uint32_t remove_memory_callback = 10;
inline constexpr std::uint32_t io_start_callback = 11;
inline constexpr std::uint32_t io_write_all_callback = 12;
inline constexpr std::uint32_t io_finish_callback = 13;

/// MINIDUMP_CALLBACK_INPUT: CallbackType; and of MINIDUMP_IO_CALLBACK in it Offset (64 bits), Buffer, BufferBytes (32 bits).
inline constexpr std::size_t input_type = 12;
inline constexpr std::size_t input_offset = 24;
inline constexpr std::size_t input_buffer = 32;
inline constexpr std::size_t input_buffer_bytes = 40;

/// MINIDUMP_CALLBACK_OUTPUT, a union: Status; ThreadWriteFlags; CheckCancel and Cancel.
inline constexpr std::size_t output_status = 0;
inline constexpr std::size_t output_thread_flags = 0;
inline constexpr std::size_t output_check_cancel = 0;
inline constexpr std::size_t output_cancel = 4;

/// THREAD_WRITE_FLAGS: ThreadWriteThread, ThreadWriteContext, ThreadWriteThreadInfo.
inline constexpr std::uint32_t thread_without_memory = 0x1 | 0x4 | 0x40;

/// MINIDUMP_CALLBACK_INFORMATION: the routine, and behind it its parameter.
inline constexpr std::size_t information_size = 16;
inline constexpr std::size_t information_parameter = 8;

/// MINIDUMP_EXCEPTION_INFORMATION: ThreadId, ExceptionPointers, and ClientPointers, which is 0 for pointers into the writer's own process.
inline constexpr std::size_t exception_size = 16;
inline constexpr std::size_t exception_pointers = 4;

/// MINIDUMP_USER_STREAM_INFORMATION: the number of streams, and their address.
inline constexpr std::size_t streams_size = 12;
inline constexpr std::size_t streams_address = 4;

/// MINIDUMP_USER_STREAM: type, size in bytes, address.
inline constexpr std::size_t stream_size = 16;
inline constexpr std::size_t stream_bytes = 4;
inline constexpr std::size_t stream_address = 8;

/// MINIDUMP_STREAM_TYPE: CommentStreamW, ThreadListStream.
inline constexpr std::uint32_t comment_stream = 11;
inline constexpr std::uint32_t thread_list_stream = 3;

/// MINIDUMP_HEADER: NumberOfStreams, StreamDirectoryRva.
inline constexpr std::size_t header_streams = 8;
inline constexpr std::size_t header_directory = 12;

/// MINIDUMP_DIRECTORY: StreamType, and of its location the size and the offset.
inline constexpr std::size_t directory_entry_size = 12;
inline constexpr std::size_t directory_rva = 8;

/// MINIDUMP_THREAD_LIST: the number, then MINIDUMP_THREAD: ThreadId, and of its ThreadContext the size and the offset.
inline constexpr std::size_t thread_list_header_size = 4;
inline constexpr std::size_t thread_size = 48;
inline constexpr std::size_t thread_context_size = 0x28;
inline constexpr std::size_t thread_context_rva = 0x2C;

}
