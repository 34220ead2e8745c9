using System.Collections.Immutable;
using System.Globalization;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;

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
                output.WriteLine(style.Heading($"{ThreadText.Describe(thread)}  {ThreadText.Times(thread)}  {Activity(thread)}{Apartment(thread)}"));
                foreach (WaitFact wait in waits[thread.Id])
                {
                    output.WriteLine($"  waits for {ResourceText.Describe(snapshot, wait.Resource)}{Limit(wait)}{Holder(snapshot, wait)} [{wait.Grade}]");
                }
            }

            if (group.Skip(1).Any())
            {
                output.WriteLine(style.Faint($"  the same frames in all of them; stack pointers are those of {ThreadText.Describe(group.First())}"));
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

    private static string Holder(ProcessSnapshot snapshot, WaitFact wait)
    {
        ImmutableArray<OwnershipFact> owners = [.. snapshot.Ownerships.Where(o => o.Resource == wait.Resource)];
        return owners.IsEmpty || wait.Resource.Kind == ResourceKind.Thread ? "" : $", {(owners.All(o => o.Grade == Grade.Suspected) ? "possibly " : "")}held by {string.Join(" and ", owners.Select(o => o.OwnerDescription ?? ThreadText.Describe(snapshot, o.OwnerThreadId)))}";
    }

    private static string Key(ThreadSnapshot thread) => thread.Stack.Frames.IsEmpty
        ? string.Create(CultureInfo.InvariantCulture, $"none {thread.Stack.End}")
        : string.Join('|', thread.Stack.Frames.Select(f => f.InstructionPointer.ToString("x", CultureInfo.InvariantCulture)).Append(thread.Stack.End.ToString()));
}
