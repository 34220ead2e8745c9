using System.Buffers.Binary;
using System.Text;
using Dump.Model.Process;
using Dump.Readers;
using Dump.Readers.Pe;
using Dump.Readers.Registers;
using Dump.Readers.Unwinding;
using Dump.Readers.Unwinding.Frames;
using Dump.Readers.Unwinding.X86;

namespace Dump.Fuzz.Processes;

/// <summary>One 32-bit module and one stack, written byte by byte: headers at 0, exports at 0x400, code at 0x1000.</summary>
internal sealed class X86Process : IMemory, IModuleMap
{
    public const uint Base = 0x1000_0000;
    public const uint StackLimit = 0x10_0000;
    public const uint StackBase = 0x10_1000;
    private const int NewHeader = 0x80;
    private const int Optional = NewHeader + 24;
    private const int OptionalSize = 224;
    private const int Exports = 0x400;

    private readonly byte[] _image = new byte[0x3000];
    private readonly byte[] _stack = new byte[StackBase - StackLimit];
    private readonly List<(string Name, int Rva)> _exports = [];

    public X86Process()
    {
        "MZ"u8.CopyTo(_image);
        Write32(0x3C, NewHeader);
        "PE"u8.CopyTo(_image.AsSpan(NewHeader));
        Write16(NewHeader + 4, 0x14C);
        Write16(NewHeader + 6, 1);
        Write16(NewHeader + 20, OptionalSize);
        Write16(Optional, 0x10B);
        Write32(Optional + 56, _image.Length);
        Write32(Optional + 60, 0x400);
        Write32(Optional + 92, 16);
        int section = Optional + OptionalSize;
        Write32(section + 8, 0x2000);
        Write32(section + 12, 0x1000);
        Write32(section + 36, 0x6000_0020);
    }

    public Span<byte> Image => _image;

    public Span<byte> Stack => _stack;

    public IReadOnlyList<ModuleSnapshot> Modules { get; } = [new("a.dll", "a.dll", Base, 0x3000, 0, null, null)];

    /// <summary>False to leave out code, as a small dump does: only the headers can be read.</summary>
    public bool HasCode { get; init; } = true;

    public X86Process Code(int rva, params ReadOnlySpan<byte> code)
    {
        code.CopyTo(_image.AsSpan(rva));
        return this;
    }

    /// <summary>An exported function; they must be added in the order of their names.</summary>
    public X86Process Export(string name, int rva, params ReadOnlySpan<byte> code)
    {
        _exports.Add((name, rva));
        Write32(Optional + 96, Exports);
        Write32(Optional + 100, 0x400);
        int count = _exports.Count;
        Write32(Exports + 16, 1);
        Write32(Exports + 20, count);
        Write32(Exports + 24, count);
        Write32(Exports + 28, Exports + 0x40);
        Write32(Exports + 32, Exports + 0x80);
        Write32(Exports + 36, Exports + 0xC0);
        int index = count - 1;
        int text = Exports + 0x100 + index * 0x20;
        Write32(Exports + 0x40 + index * 4, rva);
        Write32(Exports + 0x80 + index * 4, text);
        Write16(Exports + 0xC0 + index * 2, index);
        Encoding.ASCII.GetBytes(name).CopyTo(_image.AsSpan(text));
        return Code(rva, code);
    }

    public X86Process Push(uint address, uint value)
    {
        BinaryPrimitives.WriteUInt32LittleEndian(_stack.AsSpan((int)(address - StackLimit)), value);
        return this;
    }

    public WalkedStack Walk(uint rva, uint esp, uint ebp = 0, IFrameDescriptions? descriptions = null, ReadLimits? limits = null)
    {
        X86Registers registers = X86Registers.At(Base + rva, esp);
        registers[X86Register.Esp] = esp;
        registers[X86Register.Ebp] = ebp;
        return Walk(registers, descriptions, limits);
    }

    public WalkedStack Walk(in X86Registers registers, IFrameDescriptions? descriptions = null, ReadLimits? limits = null) =>
        new X86StackWalker(this, this, new PeImages(this, this), limits, descriptions).Walk(registers, new StackBounds(StackLimit, StackBase));

    public ModuleSnapshot? Find(ulong address) => Modules[0].Contains(address) ? Modules[0] : null;

    public int Read(ulong address, Span<byte> destination) =>
        PlacedBytes.Copy(HasCode ? _image : _image.AsSpan(0, 0x1000), Base, address, destination) + PlacedBytes.Copy(_stack, StackLimit, address, destination);

    private void Write16(int offset, int value) => BinaryPrimitives.WriteUInt16LittleEndian(_image.AsSpan(offset), (ushort)value);

    private void Write32(int offset, int value) => BinaryPrimitives.WriteInt32LittleEndian(_image.AsSpan(offset), value);
}
