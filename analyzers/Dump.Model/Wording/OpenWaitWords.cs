using Dump.Model.Reported;
using Dump.Model.Text;

namespace Dump.Model.Wording;

/// <summary>Waits without a verdict in words.</summary>
public static class OpenWaitWords
{
    private const int MostLines = 16;
    private const int MostOthers = 8;

    /// <summary>A line for each of the first waits, those that leave the answer undecided before the others, and one that counts the rest.</summary>
    public static IEnumerable<string> Lines(HangReport report)
    {
        ThreadNames threads = new(report);
        foreach (ReportedOpenWait wait in report.OpenWaits.Take(MostLines))
        {
            yield return Line(wait, threads);
        }

        if (report.OpenWaits.Length > MostLines)
        {
            yield return $"and {CountText.Of(report.OpenWaits.Length - MostLines, "more wait")}";
        }
    }

    /// <summary>One of them, for example <c>Thread 0 (0x100) is the load owner and is in the system call NtCreateSection. Look at app!Load.</c></summary>
    internal static string Line(ReportedOpenWait wait, ThreadNames threads)
    {
        if (wait.ThreadId is not { } thread)
        {
            return wait.Activity;
        }

        string?[] how =
        [
            wait.SystemCall is { } name && !wait.Activity.Contains(name, StringComparison.Ordinal) ? name : null,
            wait.Through is { } frame ? $"through {FrameWords.Place(frame)}" : null,
        ];
        string place = how.Any(h => h is not null) ? $" ({string.Join(", ", how.OfType<string>())})" : "";
        string role = wait.Role is { } why ? $"{why} and " : "";
        string look = wait.LookAt is { } code && FrameWords.Own(code) is var own ? $" Look at {own.Code}{FrameWords.Source(own.Source)}." : "";
        return $"{Naming.Capitalised(threads.Full(thread))} {role}{wait.Activity}{place}.{look}{Others(wait, threads)}";
    }

    private static string Others(ReportedOpenWait wait, ThreadNames threads)
    {
        if (wait.Others is not { IsDefaultOrEmpty: false } others)
        {
            return "";
        }

        string more = others.Length > MostOthers ? $" and {CountText.Of(others.Length - MostOthers, "more thread")}" : "";
        return $" At the same place: {string.Join(", ", others.Take(MostOthers).Select(threads.Full))}{more}.";
    }
}
