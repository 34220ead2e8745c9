using Dump.Clr.Frames;
using Dump.Clr.Runtimes;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Reported;
using Dump.Model.Text;
using Dump.Model.Wording;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Objects;

/// <summary>Questions about single managed objects of a dump.</summary>
public static class ObjectQuestions
{
    /// <summary>Describes one object.</summary>
    /// <param name="path">Path of the dump.</param>
    /// <param name="options">How to read.</param>
    /// <param name="address">Address of the object.</param>
    /// <param name="mostElements">Most elements or entries to list.</param>
    public static ObjectAnswer<ObjectDocument> Describe(string path, ClrReadOptions options, ulong address, int mostElements) =>
        Ask(path, options, target => Describe(target, address, mostElements));

    /// <summary>Lists the objects that a thread's stack and registers refer to, innermost first, each place once.</summary>
    /// <param name="path">Path of the dump.</param>
    /// <param name="options">How to read.</param>
    /// <param name="threadId">Operating system id of the thread.</param>
    public static ObjectAnswer<StackObjectDocument> OnStack(string path, ClrReadOptions options, uint threadId) =>
        Ask(path, options, target => target.Runtime.Threads.FirstOrDefault(t => t.OSThreadId == threadId && threadId != 0) is { } thread
            ? StackObjectReader.Read(target.Stacks, thread, options) is { } objects
                ? new ObjectAnswer<StackObjectDocument>(new StackObjectDocument(threadId, [.. objects]) { Family = target.Family }, null, null)
                : new ObjectAnswer<StackObjectDocument>(null, null, MissingData.Of(MissingKind.StackObjects))
            : new ObjectAnswer<StackObjectDocument>(null, $"thread {ThreadNames.Id(threadId, target.Family)} runs no managed code, or there is no such thread", null));

    private static ObjectAnswer<T> Ask<T>(string path, ClrReadOptions options, Func<ClrTarget, ObjectAnswer<T>> answer)
        where T : class
    {
        using ClrTarget? target = ClrTarget.Open(settings => DumpFile.Open(path, settings), options, out MissingData? missing);
        return target is null ? new ObjectAnswer<T>(null, null, missing ?? MissingData.Of(MissingKind.Runtime)) : Ask(target, options, answer);
    }

    /// <summary>Describes one object of a process that is being read.</summary>
    internal static ObjectAnswer<ObjectDocument> Describe(ClrTarget target, ClrReadOptions options, ulong address, int mostElements) =>
        Ask(target, options, read => Describe(read, address, mostElements));

    private static ObjectAnswer<ObjectDocument> Describe(ClrTarget target, ulong address, int mostElements) =>
        new ObjectReader(target.Runtime).Read(address, mostElements) is { } found
            ? new ObjectAnswer<ObjectDocument>(found, null, null)
            : new ObjectAnswer<ObjectDocument>(null, $"there is no object at 0x{address:x}, or its type cannot be read", null);

    private static ObjectAnswer<T> Ask<T>(ClrTarget target, ClrReadOptions options, Func<ClrTarget, ObjectAnswer<T>> answer)
        where T : class
    {
        try
        {
            return answer(target);
        }
        catch (Exception error) when (error is not (OutOfMemoryException or OperationCanceledException))
        {
            // ClrMD documents no set of exceptions for damaged dumps and for dumps without a heap.
            options.Gate?.Fail();
            return new ObjectAnswer<T>(null, null, MissingData.Of(MissingKind.HeapObjects, detail: SafeText.Clean(error.Message, 300)));
        }
    }
}

/// <summary>Lists the objects that a stack refers to.</summary>
internal static class StackObjectReader
{
    private const int MostObjects = 100_000;
    private const int LongestName = 512;
    private const int LongestText = 120;

    /// <summary>Reads them, innermost frame first. Precise: what the runtime's collector would keep alive, no words that only look like references.</summary>
    /// <param name="stacks">Reads the stacks of its runtime.</param>
    /// <param name="thread">The thread.</param>
    /// <param name="options">How to read.</param>
    /// <returns>Null where the library cannot be asked: its walk of the stack turns in a circle, or it has crashed on that before.</returns>
    public static IReadOnlyList<StackObject>? Read(StackReader stacks, ClrThread thread, ClrReadOptions options)
    {
        if (ManagedThread.Read(stacks, thread, options.Limits.MaxFrames, options.IsCareful).HasUnreadObjects)
        {
            return null;
        }

        HashSet<(ulong, ulong, string?, ulong?)> seen = [];
        List<StackObject> objects = [];
        foreach (ClrStackRoot root in thread.EnumerateStackRoots().Take(MostObjects))
        {
            ClrObject target = root.Object;
            if (!target.IsValid || target.Type is not { } type || !seen.Add((root.Address, target.Address, root.RegisterName, root.StackFrame?.StackPointer)))
            {
                continue;
            }

            objects.Add(new StackObject(
                target.Address,
                SafeText.Clean(type.Name ?? "?", LongestName),
                type.IsString ? SafeText.Clean(target.AsString(LongestText) ?? "", LongestText) : null,
                root.Address == 0 ? null : root.Address,
                root.Address == 0 && root.RegisterName is { Length: > 0 } register ? SafeText.Clean(register) : null,
                root.StackFrame?.Method is { } method ? MethodNames.Of(method) : null));
        }

        return objects;
    }
}

/// <summary>A question about one object of a process that is read now: a living one goes on afterwards, and its objects move.</summary>
/// <param name="address">Address of the object.</param>
/// <param name="mostElements">Most elements or entries to list.</param>
public sealed class ObjectQuestion(ulong address, int mostElements)
{
    /// <summary>The answer; null where the managed half was not read.</summary>
    public ObjectAnswer<ObjectDocument>? Answer { get; private set; }

    /// <summary>How to read a process so that it is answered.</summary>
    /// <param name="options">How it is read otherwise.</param>
    public ClrReadOptions AddTo(ClrReadOptions options) =>
        options with { OnTarget = target => Answer = ObjectQuestions.Describe(target, options, address, mostElements) };
}

/// <summary>What a question about managed objects was answered.</summary>
/// <typeparam name="T">Kind of answer.</typeparam>
/// <param name="Value">The answer, or null.</param>
/// <param name="Refusal">Why the question itself was wrong (no such object or thread), or null.</param>
/// <param name="Missing">What the dump or this machine lacks to answer, or null.</param>
public sealed record ObjectAnswer<T>(T? Value, string? Refusal, MissingData? Missing)
    where T : class;
