#pragma once

// Generated from analyzers/Dump.Model/Contract and the families of detectors; a test compares. To write it anew:
// UPDATE_GOLDEN=1 dotnet test tests/Dump.Reports.Tests --filter ContractHeaderTests

#include <string_view>

namespace dumpext::contract {

/// Exit codes of the engine.
namespace exit_code {

inline constexpr unsigned long success = 0;
inline constexpr unsigned long tool_error = 1;
inline constexpr unsigned long usage = 2;
inline constexpr unsigned long unreadable = 3;
inline constexpr unsigned long confirmed = 10;
inline constexpr unsigned long likely = 11;
inline constexpr unsigned long suspected = 12;
inline constexpr unsigned long undecidable = 13;
inline constexpr unsigned long crashed = 14;
inline constexpr unsigned long interrupted = 130;

/// True when the engine came to its end and answered, also with "cannot decide".
constexpr bool is_answer(unsigned long code) { return code == success || code == confirmed || code == likely || code == suspected || code == undecidable || code == crashed; }

}

/// What the field "schema" of a report says.
inline constexpr std::string_view report_schema = "dump-report/1";

/// The environment variable that says where PDB files are.
inline constexpr std::wstring_view symbol_path_variable = L"_NT_SYMBOL_PATH";

/// The environment variable that, set to 0, keeps the engine's runtime from mapping its compiled code twice.
inline constexpr std::wstring_view write_xor_execute_variable = L"DOTNET_EnableWriteXorExecute";

/// For --only: the detectors of threads that burn CPU time.
inline constexpr std::string_view spin_detectors = "spin";

/// For --only: the detectors of UI threads that do not answer.
inline constexpr std::string_view ui_detectors = "ui";

/// Heads an answer that lacks data.
inline constexpr std::string_view undecidable_heading = "DUMP9001 This dump cannot answer";

}
