using System.Buffers.Binary;
using Dump.Readers.Minidump;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Frames;

/// <summary>
/// The method that a thread is in when it stands in a stub of the runtime between that method and one that it calls: the few instructions that look whether the
/// object of an interface call is of the expected type, for example. They belong to no method and no module and have no unwind data, so that the runtime's walk
/// gives nothing; the stack pointer is at the return address. Seen in a quarter of the looks at a loop that calls a comparer (.NET 10 on Linux, x64).
/// </summary>
internal static class StubCaller
{
    /// <summary>The method, as a frame at the place where the called one would return to; null for a thread that stands elsewhere, or where it is not known.</summary>
    /// <param name="thread">A thread whose walk gave no method.</param>
    public static ManagedFrame? Of(ClrThread thread)
    {
        ClrRuntime runtime = thread.Runtime;
        IDataReader memory = runtime.DataTarget.DataReader;
        Span<byte> word = stackalloc byte[sizeof(ulong)];
        if (thread.GCMode != GCMode.Cooperative || ThreadContext.Of(thread) is not { } context
            || ContextRegisters.Pointers(context, memory.Architecture) is not ({ } at, { } stack) || stack % sizeof(ulong) != 0
            || !ReturnAddress.MayBe(runtime, at) || IsOfModule(runtime, at) || runtime.GetMethodByInstructionPointer(at) is not null || memory.Read(stack, word) != word.Length)
        {
            return null;
        }

        ulong back = BinaryPrimitives.ReadUInt64LittleEndian(word);
        return ReturnAddress.MayBe(runtime, back) ? ReturnAddress.CallerAt(runtime, stack, back) : null;
    }

    private static bool IsOfModule(ClrRuntime runtime, ulong address) =>
        runtime.DataTarget.EnumerateModules().Any(m => address >= m.ImageBase && address - m.ImageBase < (ulong)Math.Max(0, m.ImageSize));
}
