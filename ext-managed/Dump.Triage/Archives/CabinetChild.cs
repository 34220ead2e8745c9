using System.Globalization;
using System.Runtime.Versioning;
using System.Text;
using Dump.Triage.Children;

namespace Dump.Triage.Archives;

/// <summary>Has a cabinet unpacked by a child process of this program, which it may take down with it.</summary>
[SupportedOSPlatform("windows")]
internal static class CabinetChild
{
    private static readonly ChildLimits s_limits = new(TimeSpan.FromMinutes(30), 1L << 30) { OutputBytes = 1 << 20 };

    /// <summary>Unpacks all members into files named 0, 1, 2 and so on.</summary>
    /// <param name="cabinet">Its path.</param>
    /// <param name="folder">An empty folder.</param>
    /// <param name="most">Bytes that all of them together may have.</param>
    /// <returns>Their names in the cabinet, in that order.</returns>
    /// <exception cref="InvalidDataException">It cannot be unpacked; the message says why.</exception>
    public static string[] Unpack(string cabinet, string folder, long most)
    {
        ChildResult result = ChildProcess.Run(
            AnalysisProgram.Own, [CabinetCommand.Name, cabinet, folder, most.ToString(CultureInfo.InvariantCulture)],
            new Dictionary<string, string>(), s_limits, CancellationToken.None);
        return result.ExitCode == 0 ? Encoding.UTF8.GetString(result.Output.Span).Split('\n', StringSplitOptions.RemoveEmptyEntries)
            : throw new InvalidDataException(
                $"the cabinet cannot be unpacked: {(result.End == ChildEnd.Itself ? result.LastError ?? "Windows' library for it crashed" : "it takes too long")}");
    }
}
