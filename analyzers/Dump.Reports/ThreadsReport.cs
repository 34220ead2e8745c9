using System.Collections.Immutable;
using System.Globalization;
using Dump.Model;

namespace Dump.Reports;

/// <summary>All threads with stacks, identical stacks once, with processor times and waits beside each.</summary>
public static class ThreadsReport
{
    /// <summary>Writes the report, groups in the order of their first thread.</summary>
    public static void Write(ProcessSnapshot snapshot, TextWriter output, TextStyle style)
    {
        ILookup<uint, WaitFact> waits = snapshot.Waits.ToLookup(w => w.ThreadId);
        foreach (IGrouping<string, ThreadSnapshot> group in snapshot.Threads.GroupBy(Key))
        {
            foreach (ThreadSnapshot thread in group)
            {
                output.WriteLine(style.Heading($"{ThreadText.Describe(thread)}  {ThreadText.Times(thread)}  {Activity(thread)}"));
                foreach (WaitFact wait in waits[thread.Id])
                {
                    output.WriteLine($"  waits for {Resource(wait.Resource)} [{wait.Grade}]{Holder(snapshot, wait)}");
                }
            }

            WriteStack(group.First().Stack, output, style);
            output.WriteLine();
        }
    }

    /// <summary>A resource in words, without knowledge of names.</summary>
    public static string Resource(Resource resource) => resource.Identity == 0
        ? resource.Kind.ToString()
        : $"{resource.Kind} 0x{resource.Identity:x}";

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
        { SystemCall: { } call } activity => $"{activity.Kind.ToString().ToLowerInvariant()} in {call}",
        var activity => activity.Kind.ToString().ToLowerInvariant(),
    };

    private static string Holder(ProcessSnapshot snapshot, WaitFact wait)
    {
        ImmutableArray<OwnershipFact> owners = [.. snapshot.Ownerships.Where(o => o.Resource == wait.Resource)];
        return owners.IsEmpty ? "" : $", held by {string.Join(" and ", owners.Select(o => ThreadText.Describe(snapshot, o.OwnerThreadId)))}";
    }

    private static string Key(ThreadSnapshot thread) => thread.Stack.Frames.IsEmpty
        ? string.Create(CultureInfo.InvariantCulture, $"none {thread.Stack.End}")
        : string.Join('|', thread.Stack.Frames.Select(f => f.InstructionPointer.ToString("x", CultureInfo.InvariantCulture)));
}
