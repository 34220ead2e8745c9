using BenchmarkDotNet.Attributes;
using Dump.Readers.Minidump;
using Dump.Readers.Pe;
using Dump.Readers.Registers;
using Dump.Readers.Unwinding;
using Dump.Readers.Unwinding.Frames;
using Dump.Readers.Unwinding.X64;
using Dump.Testing.Synthetic;

namespace Dump.Benchmarks.Micro;

/// <summary>Walking one thread's stack of 48 frames by unwind information, with images and function tables already read.</summary>
[MemoryDiagnoser]
public class OneStack
{
    private readonly MinidumpFile _dump;
    private readonly PeImages _images;
    private readonly X64StackWalker _walker;
    private readonly MinidumpThread _thread;
    private readonly StackBounds _bounds;

    /// <summary>Makes the dump.</summary>
    public OneStack()
    {
        _dump = MinidumpFile.FromBytes(new LoadOwnershipScene { Victims = 1, VictimDepth = 40 }.Build().ToMinidump());
        _images = new PeImages(_dump, _dump);
        _walker = new X64StackWalker(_dump, _dump, _images);
        _thread = _dump.Threads[^1];
        MinidumpMemoryRange stack = _dump.MemoryRanges.Last(r => r.Address <= _thread.StackPointer);
        _bounds = new StackBounds(stack.Address, stack.Address + (ulong)stack.Bytes.Size);
    }

    /// <summary>Walks it.</summary>
    [Benchmark]
    public int Walk() => _walker.Walk((X64Registers)_thread.Registers!, _bounds).Frames.Count;
}
