using Dump.Readers.Minidump;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Frames;

/// <summary>
/// Objects in the registers of a thread that executes managed code. The runtime tells the objects of the innermost frame only at places where a collection may
/// begin; a loop without calls seldom stands at one. A register may also hold what is left of an earlier use, so that such an object is a candidate only.
/// </summary>
internal static class RegisterObjects
{
    /// <summary>The objects; empty where the registers cannot be read.</summary>
    public static IReadOnlyList<ClrObject> Of(ClrThread thread)
    {
        ClrHeap heap = thread.Runtime.Heap;
        return ThreadContext.Of(thread) is not { } context ? [] :
        [
            .. ContextRegisters.General(context, thread.Runtime.DataTarget.DataReader.Architecture).Distinct()
                .Where(a => a % sizeof(ulong) == 0 && heap.GetSegmentByAddress(a) is not null)
                .Select(heap.GetObject)
                .Where(o => o.IsValid),
        ];
    }
}
