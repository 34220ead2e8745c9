using System.Collections.Immutable;
using System.Runtime.InteropServices;
using Dump.Model.Process;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Frames;

/// <summary>
/// Searches the stack of a thread for addresses in managed code, where the runtime cannot walk it although it has the thread as one in managed code: native
/// code that was called without telling the runtime keeps no place where the managed stack goes on.
/// </summary>
internal static class StackSearch
{
    private const int MostWords = 8_192;
    private const int MostAsked = 2_000;
    private const int MostFrames = 16;

    /// <summary>The methods, innermost first; empty for a thread that the runtime walks, or without a stack.</summary>
    public static ImmutableArray<StackFrame> Of(ClrRuntime runtime, ManagedThread thread, ThreadSnapshot native, ManagedPlaces places)
    {
        ulong start = native.Stack.Frames.IsEmpty ? 0 : native.Stack.Frames[0].StackPointer & ~7UL, end = thread.StackEnd;
        if (thread.Thread.GCMode != GCMode.Cooperative || thread.Code.Any(f => f.Method is not null) || start == 0 || end <= start)
        {
            return [];
        }

        ulong[] words = new ulong[(int)Math.Min(MostWords, (end - start) / sizeof(ulong))];
        int read = runtime.DataTarget.DataReader.Read(start, MemoryMarshal.AsBytes(words.AsSpan())) / sizeof(ulong);
        List<StackFrame> found = [];
        int asked = 0;
        for (int i = 0; i < read && asked < MostAsked && found.Count < MostFrames; i++)
        {
            ulong at = start + ((ulong)i * sizeof(ulong)), word = words[i];
            bool isCode = (word < start || word >= end) && ReturnAddress.MayBe(runtime, word);
            asked += isCode ? 1 : 0;
            if (isCode && ReturnAddress.CallerAt(runtime, at, word) is { } caller
                && ManagedThreadHalf.Frame(caller) is { Function: not null, FunctionOffset: > 0 } frame)
            {
                found.Add(frame with { Code = places.Of(caller, isReturn: true) });
            }
        }

        return [.. found];
    }
}
