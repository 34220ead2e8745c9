using System.Buffers.Binary;
using Dump.Model.Process;
using Dump.Readers;
using Dump.Readers.Pe;
using Dump.Readers.Registers;
using Dump.Readers.Unwinding;
using Dump.Readers.Unwinding.Frames;
using Dump.Readers.Unwinding.X64;

namespace Dump.Fuzz.Processes;

/// <summary>
/// One x64 module and one stack, written byte by byte: headers at 0, the exception directory at 0x400, unwind information at 0x600, code at 0x1000.
/// </summary>
internal sealed class HandBuiltProcess : IMemory, IModuleMap
{
    public const ulong Base = 0x1_4000_0000;
    public const ulong StackLimit = 0x10_0000;
    public const ulong StackBase = 0x10_1000;
    private const int NewHeader = 0x80;
    private const int Optional = NewHeader + 24;
    private const int OptionalSize = 240;
    private const int Functions = 0x400;

    private byte[] _image = new byte[0x3000];
    private readonly byte[] _stack = new byte[StackBase - StackLimit];
    private int _functions;

    public HandBuiltProcess()
    {
        "MZ"u8.CopyTo(_image);
        Write32(0x3C, NewHeader);
        "PE"u8.CopyTo(_image.AsSpan(NewHeader));
        Write16(NewHeader + 4, 0x8664);
        Write16(NewHeader + 6, 1);
        Write16(NewHeader + 20, OptionalSize);
        Write16(Optional, 0x20B);
        Write32(Optional + 56, _image.Length);
        Write32(Optional + 60, 0x400);
        Write32(Optional + 108, 16);
        Write32(Optional + 112 + (3 * 8), Functions);
        int section = Optional + OptionalSize;
        Write32(section + 8, 0x2000);
        Write32(section + 12, 0x1000);
        Write32(section + 36, 0x6000_0020);
    }

    /// <summary>The image's bytes as they stand in memory.</summary>
    public Span<byte> Image => _image;

    /// <summary>The stack's bytes.</summary>
    public Span<byte> Stack => _stack;

    /// <summary>Memory outside of the module and the stack.</summary>
    public SparseMemory Outside { get; } = new();

    public IReadOnlyList<ModuleSnapshot> Modules { get; } = [new("a.dll", "a.dll", Base, 0x3000, 0, null, null)];

    /// <summary>Adds a function; they must be added in the order of their addresses.</summary>
    public void Function(int begin, int end, int unwindInfo, params ReadOnlySpan<byte> information)
    {
        int entry = Functions + (_functions++ * 12);
        Write32(entry, begin);
        Write32(entry + 4, end);
        Write32(entry + 8, unwindInfo);
        Write32(Optional + 112 + (3 * 8) + 4, _functions * 12);
        information.CopyTo(_image.AsSpan(unwindInfo));
    }

    public void Code(int rva, params ReadOnlySpan<byte> code) => code.CopyTo(_image.AsSpan(rva));

    public void Push(ulong address, ulong value) => BinaryPrimitives.WriteUInt64LittleEndian(_stack.AsSpan((int)(address - StackLimit)), value);

    /// <summary>The same process, of whose module the dump has no memory.</summary>
    public HandBuiltProcess WithoutImage()
    {
        _image = [];
        return this;
    }

    public WalkedStack Walk(in X64Registers context, ReadLimits? limits = null, IDynamicFunctions? functions = null) =>
        new X64StackWalker(this, this, new PeImages(this, this), limits, functions).Walk(context, new StackBounds(StackLimit, StackBase));

    public ModuleSnapshot? Find(ulong address) => Modules[0].Contains(address) ? Modules[0] : null;

    public int Read(ulong address, Span<byte> destination) =>
        PlacedBytes.Copy(_image, Base, address, destination) + PlacedBytes.Copy(_stack, StackLimit, address, destination) + Outside.Read(address, destination);

    private void Write16(int offset, int value) => BinaryPrimitives.WriteUInt16LittleEndian(_image.AsSpan(offset), (ushort)value);

    private void Write32(int offset, int value) => BinaryPrimitives.WriteInt32LittleEndian(_image.AsSpan(offset), value);
}
