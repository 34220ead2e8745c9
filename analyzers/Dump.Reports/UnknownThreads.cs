using System.Globalization;
using Dump.Model.Process;
using Dump.Model.Text;

namespace Dump.Reports;

/// <summary>Threads of which a dump does not tell what they do: a list of waits is not complete where there are some.</summary>
public static class UnknownThreads
{
    private const int Most = 8;

    /// <summary>Living threads whose activity is unknown, in the order of the source.</summary>
    public static IEnumerable<ThreadSnapshot> Of(ProcessSnapshot snapshot) => snapshot.Threads.Where(t =>
        !t.HasExited && t.Activity is { Kind: ThreadActivityKind.Unknown } or { Kind: ThreadActivityKind.SystemCall, SystemCall: null });

    /// <summary>That they may wait as well, or null when there is none.</summary>
    public static string? Sentence(ProcessSnapshot snapshot)
    {
        ThreadSnapshot[] unknown = [.. Of(snapshot)];
        if (unknown.Length == 0)
        {
            return null;
        }

        string ids = string.Join(" ", unknown.Take(Most).Select(t => $"0x{t.Id:x}")) + (unknown.Length > Most ? " ..." : "");
        return $"What {CountText.Of(unknown.Length, "thread")} ({ids}) {(unknown.Length == 1 ? "does" : "do")} is unknown: data are missing, so {(unknown.Length == 1 ? "it" : "they")} may wait too. "
            + "dumpanalyze FILE says which, and how to capture them.";
    }
}
