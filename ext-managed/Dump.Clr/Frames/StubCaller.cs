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
    private const ulong LeastAddress = 0x1_0000;

    /// <summary>The method, as a frame at the place where the called one would return to; null for a thread that stands elsewhere, or where it is not known.</summary>
    /// <param name="thread">A thread whose walk gave no method.</param>
    public static ManagedFrame? Of(ClrThread thread)
    {
        ClrRuntime runtime = thread.Runtime;
        IDataReader memory = runtime.DataTarget.DataReader;
        byte[] context = new byte[ContextRegisters.SizeOf(memory.Architecture)];
        Span<byte> word = stackalloc byte[sizeof(ulong)];
        if (thread.GCMode != GCMode.Cooperative || context.Length == 0 || !memory.GetThreadContext(thread.OSThreadId, 0, context)
            || ContextRegisters.Pointers(context, memory.Architecture) is not ({ } at and >= LeastAddress, { } stack) || stack % sizeof(ulong) != 0
            || IsOfModule(runtime, at) || runtime.GetMethodByInstructionPointer(at) is not null || memory.Read(stack, word) != word.Length)
        {
            return null;
        }

        // No return address is the first one of a method.
        ulong back = BinaryPrimitives.ReadUInt64LittleEndian(word);
        return back >= LeastAddress && runtime.Heap.GetSegmentByAddress(back) is null && runtime.GetMethodByInstructionPointer(back) is { } method
            && back != method.NativeCode ? new ManagedFrame(stack + sizeof(ulong), back, method, false) : null;
    }

    private static bool IsOfModule(ClrRuntime runtime, ulong address) =>
        runtime.DataTarget.EnumerateModules().Any(m => address >= m.ImageBase && address - m.ImageBase < (ulong)Math.Max(0, m.ImageSize));
}
