using System.Collections.Immutable;
using System.Globalization;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Reported;
using Dump.Model.Text;
using Dump.Model.Waits;
using Dump.Model.Wording;

namespace Dump.Reports;

/// <summary>All threads with stacks, identical stacks once, with CPU times and waits beside each.</summary>
public static class ThreadsReport
{
    /// <summary>Writes a document of its own: what was read, the threads, what is missing.</summary>
    /// <param name="report">A report with the stacks of all threads.</param>
    /// <param name="output">Where to write.</param>
    /// <param name="style">Emphasis.</param>
    public static void Write(ProcessReport report, TextWriter output, TextStyle style)
    {
        SourceHead.Write(report, output, style);
        WriteThreads(report, output, style);
        FactsFooter.Write(report, output, style);
    }

    /// <summary>The same report with its threads in the order of their CPU time, the most first; those whose time is not recorded come last.</summary>
    public static ProcessReport ByTime(ProcessReport report) =>
        report with { Threads = [.. report.Threads.OrderByDescending(t => t.UserMicroseconds + t.KernelMicroseconds ?? -1)] };

    /// <summary>CPU time of all threads together; null where none is recorded.</summary>
    private static string? Total(ProcessReport report)
    {
        ReportedThread[] timed = [.. report.Threads.Where(t => t is { UserMicroseconds: not null, KernelMicroseconds: not null })];
        string which = timed.Length == report.Threads.Length ? "all threads" : $"{timed.Length} of {CountText.Of(report.Threads.Length, "thread")}";
        return timed.Length == 0 ? null
            : string.Create(CultureInfo.InvariantCulture,
                $"CPU time of {which}: user {timed.Sum(t => t.UserMicroseconds) / 1e6:0.000} s  kernel {timed.Sum(t => t.KernelMicroseconds) / 1e6:0.000} s");
    }

    /// <summary>Writes the threads alone with their CPU time together, groups in the order of their first thread.</summary>
    internal static void WriteThreads(ProcessReport report, TextWriter output, TextStyle style)
    {
        if (Total(report) is { } total)
        {
            output.WriteLine(total);
            output.WriteLine();
        }

        ThreadNames names = new(report);
        ILookup<uint, ReportedWait> waits = report.Waits.ToLookup(w => w.ThreadId);
        bool isFirst = true;
        foreach (IGrouping<string, ReportedThread> group in report.Threads.GroupBy(Key))
        {
            if (!isFirst)
            {
                output.WriteLine();
            }

            isFirst = false;
            foreach (ReportedThread thread in group)
            {
                output.WriteLine(style.Heading($"{names.Of(thread)}  {Times(thread)}  {Activity(thread)}{Suspension(thread)}{Apartment(thread)}"));
                foreach (ReportedWait wait in waits[thread.Id])
                {
                    output.WriteLine($"  waits for {wait.ResourceText}{Limit(wait)}{Owner(report, names, wait)} [{wait.Grade}]");
                }
            }

            if (group.Skip(1).Any())
            {
                output.WriteLine(style.Faint($"  the same frames in all of them; stack pointers are those of {names.Of(group.First())}"));
            }

            WriteStack(group.First().Frames ?? [], group.First().StackEnd, output, style);
            if (group.First().EmulationFrames is { } layer)
            {
                output.WriteLine(style.Faint("  the 64-bit layer (WoW64) that carries it out"));
                WriteStack(layer, group.First().EmulationStackEnd, output, style);
            }
        }
    }

    private static void WriteStack(ImmutableArray<ReportedFrame> frames, StackEnd? end, TextWriter output, TextStyle style)
    {
        foreach (ReportedFrame frame in frames)
        {
            output.WriteLine($"  {FrameWords.Numbered(frame)}");
        }

        if (FrameWords.End(end) is { } why)
        {
            output.WriteLine(style.Faint($"       ({why})"));
        }
    }

    /// <summary>CPU times in a column: user and kernel seconds, or words where they are not recorded.</summary>
    private static string Times(ReportedThread thread) => thread is { UserMicroseconds: { } user, KernelMicroseconds: { } kernel }
        ? string.Create(CultureInfo.InvariantCulture, $"user {user / 1e6:0.000} s  kernel {kernel / 1e6:0.000} s")
        : "CPU time not recorded";

    private static string Activity(ReportedThread thread) => thread switch
    {
        { Activity: ThreadActivityKind.Unknown } => "activity unknown",
        { Activity: ThreadActivityKind.SystemCall, SystemCall: { } call } => $"in the system call {call}",
        { Activity: ThreadActivityKind.SystemCall } => "in a system call of unknown name",
        { SystemCall: { } call } => $"{EnumText.Words(thread.Activity)} in {call}",
        _ => EnumText.Words(thread.Activity),
    };

    private static string Suspension(ReportedThread thread) => SuspensionWords.Of(thread.SuspendedAbove) is { } words ? $", {words}" : "";

    private static string Apartment(ReportedThread thread) => thread.Apartment switch
    {
        ComApartmentKind.SingleThreaded => "  single-threaded apartment",
        ComApartmentKind.MultiThreaded => "  multi-threaded apartment",
        ComApartmentKind.NotInDump => "  COM apartment not in the dump",
        _ => "",
    };

    private static string Limit(ReportedWait wait) => wait switch
    {
        { Resource.Kind: ResourceKind.Time, Milliseconds: null } => "",
        { Timeout: WaitTimeout.Finite, Milliseconds: { } milliseconds } => string.Create(CultureInfo.InvariantCulture, $", at most {milliseconds} ms"),
        { Timeout: WaitTimeout.Finite } => ", with a time limit",
        { Timeout: WaitTimeout.Unknown } => ", time limit unknown",
        _ => "",
    };

    private static string Owner(ProcessReport report, ThreadNames names, ReportedWait wait)
    {
        IEnumerable<string> owners = report.Ownerships.Where(o => o.Resource == wait.Resource).GroupBy(o => o.Grade).OrderByDescending(g => g.Key)
            .Select(g => $"{OwnerWords.HeldBy(wait.Resource.Kind, g.Key)} "
                + string.Join(" and ", g.Select(o => o.OwnerDescription ?? names.Full(o.OwnerThreadId))));
        return wait.Resource.Facts.NamesItsOwner ? "" : string.Concat(owners.Select(o => $", {o}"));
    }

    private static string Key(ReportedThread thread) => thread.Frames is not { IsEmpty: false } frames
        ? string.Create(CultureInfo.InvariantCulture, $"none {thread.StackEnd}")
        : string.Join('|', frames.Select(f => f.InstructionPointer.ToString("x", CultureInfo.InvariantCulture)).Append($"{thread.StackEnd}"));
}
