namespace Dump.Testing.Synthetic.X86;

/// <summary>A 32-bit PE image written from scratch: code with frame pointers, system-call stubs, exports, writable data.</summary>
public sealed class FakeX86Image(string path, uint baseAddress)
{
    private const int TextRva = 0x1000;
    private const int ExportRva = 0x4000;
    private const int DataRva = 0x6000;
    private const int ImageSize = 0x7000;
    private const int FunctionSize = 0x40;
    private readonly List<FakeX86Function> _functions = [];

    /// <summary>Path as the module list has it.</summary>
    public string Path { get; } = path;

    /// <summary>Load address.</summary>
    public uint BaseAddress { get; } = baseAddress;

    /// <summary>Size in memory.</summary>
    public int Size => ImageSize;

    /// <summary>Address of its writable data, zero-filled.</summary>
    public uint Data => BaseAddress + DataRva;

    /// <summary>Writable data, copied when the image is written.</summary>
    public byte[] DataBytes { get; } = new byte[0x1000];

    /// <summary>
    /// A function with a frame pointer and 16 bytes of locals that calls through a register: <c>push ebp; mov ebp,esp; sub esp,10h; call eax; leave; ret n</c>.
    /// </summary>
    /// <param name="name">Its name.</param>
    /// <param name="exported">Whether the export table names it.</param>
    /// <param name="arguments">Words that it takes off the stack.</param>
    public FakeX86Function Function(string name, bool exported = true, int arguments = 0) =>
        Add(name, exported, 8, arguments, false, [0x55, 0x8B, 0xEC, 0x83, 0xEC, 0x10, 0xFF, 0xD0, 0xC9, 0xC2, (byte)(arguments * 4), 0]);

    /// <summary>A system-call stub as WoW64 and Windows 10 have it: <c>mov eax,n; mov edx,address; call edx; ret n</c>.</summary>
    public FakeX86Function Stub(string name, int arguments) =>
        Add(name, true, 12, arguments, true, [0xB8, 4, 0, 0, 0, 0xBA, 0, 0, 0, 0, 0xFF, 0xD2, 0xC2, (byte)(arguments * 4), 0]);

    /// <summary>A function that spins: it compares a word of the data section with zero, calls, and begins again.</summary>
    public FakeX86Function SpinLoop(string name, int dataOffset) => Add(name, false, 15, 0, false,
        [0x55, 0x8B, 0xEC, 0x83, 0xEC, 0x10, 0x83, 0x3D, .. BitConverter.GetBytes(Data + (uint)dataOffset), 0, 0xFF, 0xD0, 0x75, 0xF5, 0xC9, 0xC3]);

    /// <summary>Writes a critical section into the data; the waiters stand above two flag bits of LockCount, as since Windows 2003 SP1.</summary>
    /// <returns>Its address.</returns>
    public uint Section(int offset, uint owner, int waiters, uint semaphore = uint.MaxValue)
    {
        new ByteWriter().UInt32(uint.MaxValue).UInt32(owner == 0 ? -1 : -2 - 4 * waiters).UInt32(owner == 0 ? 0 : 1).UInt32(owner).UInt32(semaphore)
            .UInt32(0x04000000)
            .ToArray().CopyTo(DataBytes, offset);
        return Data + (uint)offset;
    }

    /// <summary>The image as it stands in memory.</summary>
    public byte[] ToMemory()
    {
        ByteWriter image = Headers();
        foreach (FakeX86Function function in _functions)
        {
            image.PadTo(function.Rva).Bytes(function.Code);
        }

        ImageParts.Exports(image.PadTo(ExportRva), ExportRva, _functions.Where(f => f.IsExported).Select(f => (f.Name, f.Rva)));
        return image.PadTo(DataRva).Bytes(DataBytes).PadTo(ImageSize).ToArray();
    }

    private FakeX86Function Add(string name, bool exported, int offset, int arguments, bool isStub, byte[] code)
    {
        FakeX86Function function = new(this, name, exported, TextRva + _functions.Count * FunctionSize, offset, arguments, isStub, code);
        _functions.Add(function);
        return function;
    }

    private ByteWriter Headers()
    {
        const int OptionalSize = 0xE0;
        ByteWriter w = new();
        w.Bytes("MZ"u8).PadTo(0x3C).UInt32(0x80).PadTo(0x80).Bytes("PE\0\0"u8);
        w.UInt16(0x14C).UInt16(3).UInt32(0x60000000).UInt32(0).UInt32(0).UInt16(OptionalSize).UInt16(0x2102);
        int optional = w.Length;
        w.UInt16(0x10B).UInt16(0).UInt32(0x3000).UInt32(0x3000).UInt32(0).UInt32(0).UInt32(TextRva).UInt32(DataRva);
        w.UInt32(BaseAddress).UInt32(0x1000).UInt32(0x200).UInt32(10).UInt32(0).UInt32(10).UInt32(0).UInt32(ImageSize).UInt32(0x400).UInt32(0);
        w.UInt16(3).UInt16(0).UInt32(0x100000).UInt32(0x1000).UInt32(0x100000).UInt32(0x1000).UInt32(0).UInt32(16);
        w.UInt32(ExportRva).UInt32(0x2000).PadTo(optional + OptionalSize);
        ImageParts.Section(w, ".text", TextRva, 0x3000, 0x60000020);
        ImageParts.Section(w, ".rdata", ExportRva, 0x2000, 0x40000040);
        ImageParts.Section(w, ".data", DataRva, 0x1000, 0xC0000040);
        return w;
    }
}
