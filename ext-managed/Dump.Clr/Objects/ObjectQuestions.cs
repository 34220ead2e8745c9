using Dump.Clr.Runtimes;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Reported;
using Dump.Model.Text;
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
        Ask(path, options, target => new ObjectReader(target.Runtime).Read(address, mostElements) is { } found
            ? new ObjectAnswer<ObjectDocument>(found, null, null)
            : new ObjectAnswer<ObjectDocument>(null, $"there is no object at 0x{address:x}, or its type is not in the dump", null));

    /// <summary>Lists the objects that a thread's stack and registers refer to, innermost first, each place once.</summary>
    /// <param name="path">Path of the dump.</param>
    /// <param name="options">How to read.</param>
    /// <param name="threadId">Operating system id of the thread.</param>
    public static ObjectAnswer<StackObjectDocument> OnStack(string path, ClrReadOptions options, uint threadId) =>
        Ask(path, options, target => target.Runtime.Threads.FirstOrDefault(t => t.OSThreadId == threadId && threadId != 0) is { } thread
            ? StackObjectReader.Read(target.Stacks, thread, options) is { } objects
                ? new ObjectAnswer<StackObjectDocument>(new StackObjectDocument(threadId, [.. objects]), null, null)
                : new ObjectAnswer<StackObjectDocument>(null, null, MissingData.Of(MissingKind.StackObjects))
            : new ObjectAnswer<StackObjectDocument>(null, $"thread 0x{threadId:x} runs no managed code, or there is no such thread", null));

    private static ObjectAnswer<T> Ask<T>(string path, ClrReadOptions options, Func<ClrTarget, ObjectAnswer<T>> answer)
        where T : class
    {
        using ClrTarget? target = ClrTarget.Open(settings => DumpFile.Open(path, settings), options, out MissingData? missing);
        if (target is null)
        {
            return new ObjectAnswer<T>(null, null, missing ?? MissingData.Of(MissingKind.Runtime));
        }

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
