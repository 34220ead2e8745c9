using System.Collections.Immutable;
using System.Globalization;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Model.Wording;

namespace Dump.Reports;

/// <summary>All threads with stacks, identical stacks once, with processor times and waits beside each.</summary>
public static class ThreadsReport
{
    /// <summary>Writes a document of its own: what was read, the threads, what is missing.</summary>
    public static void WriteText(ProcessSnapshot snapshot, TextWriter output, TextStyle style)
    {
        SnapshotHead.Write(snapshot, output, style);
        output.WriteLine();
        Write(snapshot, output, style);
        FactsFooter.Write(snapshot, output, style);
    }

    /// <summary>Writes the threads alone, groups in the order of their first thread.</summary>
    public static void Write(ProcessSnapshot snapshot, TextWriter output, TextStyle style)
    {
        Naming names = new(snapshot);
        ILookup<uint, WaitFact> waits = snapshot.Waits.ToLookup(w => w.ThreadId);
        bool isFirst = true;
        foreach (IGrouping<string, ThreadSnapshot> group in snapshot.Threads.GroupBy(Key))
        {
            if (!isFirst)
            {
                output.WriteLine();
            }

            isFirst = false;
            foreach (ThreadSnapshot thread in group)
            {
                output.WriteLine(style.Heading($"{ThreadNames.Of(thread)}  {Times(thread)}  {Activity(thread)}{Apartment(thread)}"));
                foreach (WaitFact wait in waits[thread.Id])
                {
                    output.WriteLine($"  waits for {names.Resource(wait.Resource)}{Limit(wait)}{Owner(snapshot, names, wait)} [{wait.Grade}]");
                }
            }

            if (group.Skip(1).Any())
            {
                output.WriteLine(style.Faint($"  the same frames in all of them; stack pointers are those of {ThreadNames.Of(group.First())}"));
            }

            WriteStack(group.First().Stack, output, style);
            if (group.First().EmulationStack is { } layer)
            {
                output.WriteLine(style.Faint("  the 64-bit layer (WoW64) that carries it out"));
                WriteStack(layer, output, style);
            }
        }
    }

    private static void WriteStack(ThreadStack stack, TextWriter output, TextStyle style)
    {
        for (int i = 0; i < stack.Frames.Length; i++)
        {
            output.WriteLine($"  {FrameText.Numbered(i, stack.Frames[i])}");
        }

        if (FrameText.End(stack.End) is { } end)
        {
            output.WriteLine(style.Faint($"       ({end})"));
        }
    }

    /// <summary>CPU times in a column: user and kernel seconds, or words where they are not recorded.</summary>
    private static string Times(ThreadSnapshot thread) => thread.Times is { } times
        ? string.Create(CultureInfo.InvariantCulture, $"user {times.User.TotalSeconds:0.000} s  kernel {times.Kernel.TotalSeconds:0.000} s")
        : "CPU time not recorded";

    private static string Activity(ThreadSnapshot thread) => thread.Activity switch
    {
        { Kind: ThreadActivityKind.Unknown } => "activity unknown",
        { Kind: ThreadActivityKind.SystemCall, SystemCall: { } call } => $"in the system call {call}",
        { Kind: ThreadActivityKind.SystemCall } => "in a system call of unknown name",
        { SystemCall: { } call } activity => $"{EnumText.Words(activity.Kind)} in {call}",
        var activity => EnumText.Words(activity.Kind),
    };

    private static string Apartment(ThreadSnapshot thread) => thread.Apartment?.Kind switch
    {
        ComApartmentKind.SingleThreaded => "  single-threaded apartment",
        ComApartmentKind.MultiThreaded => "  multi-threaded apartment",
        ComApartmentKind.NotInDump => "  COM apartment not in the dump",
        _ => "",
    };

    private static string Limit(WaitFact wait) => wait switch
    {
        { Resource.Kind: ResourceKind.Time, Milliseconds: null } => "",
        { Timeout: WaitTimeout.Finite, Milliseconds: { } milliseconds } => string.Create(CultureInfo.InvariantCulture, $", at most {milliseconds} ms"),
        { Timeout: WaitTimeout.Finite } => ", with a time limit",
        { Timeout: WaitTimeout.Unknown } => ", time limit unknown",
        _ => "",
    };

    private static string Owner(ProcessSnapshot snapshot, Naming names, WaitFact wait)
    {
        IEnumerable<string> owners = snapshot.Ownerships.Where(o => o.Resource == wait.Resource).GroupBy(o => o.Grade).OrderByDescending(g => g.Key)
            .Select(g => $"{OwnerWords.HeldBy(wait.Resource.Kind, g.Key)} {string.Join(" and ", g.Select(o => o.OwnerDescription ?? names.Thread(o.OwnerThreadId)))}");
        return wait.Resource.Facts.NamesItsOwner ? "" : string.Concat(owners.Select(o => $", {o}"));
    }

    private static string Key(ThreadSnapshot thread) => thread.Stack.Frames.IsEmpty
        ? string.Create(CultureInfo.InvariantCulture, $"none {thread.Stack.End}")
        : string.Join('|', thread.Stack.Frames.Select(f => f.InstructionPointer.ToString("x", CultureInfo.InvariantCulture))
            .Append(thread.Stack.End.ToString()));
}
