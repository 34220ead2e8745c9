using System.Globalization;
using System.Reflection;
using System.Text;
using System.Text.RegularExpressions;
using Dump.Analysis;
using Dump.Analysis.Detection;
using Dump.Model.Contract;

namespace Dump.Reports.Tests.Contract;

/// <summary>The C++ header that gives the debugger extension what it shares with the program.</summary>
internal static partial class ContractHeader
{
    /// <summary>Its text.</summary>
    public static string Text()
    {
        (string Name, int Code)[] codes = [.. Constants<int>(typeof(ExitCode)).OrderBy(c => c.Value)];
        StringBuilder text = new(
            """
            #pragma once

            // Generated from analyzers/Dump.Model/Contract and the families of detectors; a test compares. To write it anew:
            // UPDATE_GOLDEN=1 dotnet test tests/Dump.Reports.Tests --filter ContractHeaderTests

            #include <string_view>

            namespace dumpext::contract {

            /// Exit codes of the engine.
            namespace exit_code {


            """);
        foreach ((string name, int code) in codes)
        {
            text.Append(CultureInfo.InvariantCulture, $"inline constexpr unsigned long {SnakeCase(name)} = {code};\n");
        }

        string answers = string.Join(" || ", codes.Where(c => ExitCode.IsAnswer(c.Code)).Select(c => $"code == {SnakeCase(c.Name)}"));
        text.Append(CultureInfo.InvariantCulture, $$"""

            /// True when the engine came to its end and answered, also with "cannot decide".
            constexpr bool is_answer(unsigned long code) { return {{answers}}; }

            }

            /// What the field "schema" of a report says.
            inline constexpr std::string_view report_schema = "{{SchemaNames.Report}}";

            /// The environment variable that says where PDB files are.
            inline constexpr std::wstring_view symbol_path_variable = L"{{EnvironmentVariables.SymbolPath}}";

            /// The environment variable that, set to 0, keeps the engine's runtime from mapping its compiled code twice.
            inline constexpr std::wstring_view write_xor_execute_variable = L"{{EnvironmentVariables.EnableWriteXorExecute}}";

            /// For --only: the detectors of threads that burn CPU time.
            inline constexpr std::string_view spin_detectors = "{{DetectorDescriptor.NameOf(DetectorFamily.Spin)}}";

            /// For --only: the detectors of UI threads that do not answer.
            inline constexpr std::string_view ui_detectors = "{{DetectorDescriptor.NameOf(DetectorFamily.Ui)}}";

            /// Heads an answer that lacks data.
            inline constexpr std::string_view undecidable_heading = "{{UndecidableHeading}}";

            }

            """);
        return text.ToString();
    }

    /// <summary>Public constants of a class by name.</summary>
    public static IEnumerable<(string Name, T Value)> Constants<T>(Type type) => type
        .GetFields(BindingFlags.Public | BindingFlags.Static)
        .Where(f => f.IsLiteral && f.FieldType == typeof(T))
        .Select(f => (f.Name, (T)f.GetRawConstantValue()!));

    /// <summary>The one descriptor without a detector of its own.</summary>
    private static string UndecidableHeading =>
        DetectorRegistry.Descriptors.Where(d => DetectorRegistry.Detectors.All(other => other.Descriptor != d)).Select(d => $"{d.Id} {d.Title}").Single();

    private static string SnakeCase(string name) => Capital().Replace(name, "_").ToLowerInvariant();

    [GeneratedRegex("(?<=.)(?=[A-Z])")]
    private static partial Regex Capital();
}
