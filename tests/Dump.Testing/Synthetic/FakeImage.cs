using System.Text;

namespace Dump.Testing.Synthetic;

/// <summary>An x64 or ARM64 PE image written from scratch: code with real prologs and calls, unwind information, exports, writable data.</summary>
public sealed class FakeImage(string path, ulong baseAddress)
{
    private const int TextRva = 0x1000;
    private const int PdataRva = 0x3000;
    private const int XdataRva = 0x3800;
    private const int ExportRva = 0x4000;
    private const int DebugRva = 0x5C00;
    private const int TlsRva = 0x5E00;
    private const int TlsDirectorySize = 40;
    private const int DataRva = 0x6000;
    private const int ImageSize = 0x7000;
    private const int FunctionSize = 0x40;
    private const int SecondPartOffset = 0x20;
    private const int EntrySize = 12;
    private readonly List<FakeFunction> _functions = [];
    private readonly List<byte[]> _code = [];

    /// <summary>Path as the module list has it.</summary>
    public string Path { get; } = path;

    /// <summary>Version of its file as the module list has it; null for none.</summary>
    public Version? FileVersion { get; init; }

    /// <summary>Load address.</summary>
    public ulong BaseAddress { get; } = baseAddress;

    /// <summary>Whether its code is that of ARM64.</summary>
    public bool IsArm64 { get; init; }

    /// <summary>Size in memory.</summary>
    public int Size => ImageSize;

    /// <summary>Address of its writable data, zero-filled.</summary>
    public ulong Data => BaseAddress + DataRva;

    /// <summary>Entry point (DllMain in a DLL), or null for none.</summary>
    public FakeFunction? EntryPoint { get; set; }

    /// <summary>TLS callback, or null for no TLS directory.</summary>
    public FakeFunction? TlsCallback { get; set; }

    /// <summary>Writable data, copied when the image is written.</summary>
    public byte[] DataBytes { get; } = new byte[0x1000];

    /// <summary>The PDB that its debug directory names; null for no debug directory.</summary>
    public (string Path, Guid Guid, uint Age)? Pdb { get; init; }

    /// <summary>A function with a frame of 0x28 bytes that calls something.</summary>
    public FakeFunction Function(string name, bool exported = true) => IsArm64 ? Function(name, FakeArm64Prolog.Plain, exported) :
        Add(name, exported, 9, FakeProlog.Plain, [0x48, 0x83, 0xEC, 0x28, 0xE8, 0, 1, 0, 0, 0x48, 0x83, 0xC4, 0x28, 0xC3]);

    /// <summary>A function with a frame of its own kind that calls something and never returns.</summary>
    public FakeFunction Function(string name, FakeProlog prolog)
    {
        byte[] first = prolog.SecondPart is null ? prolog.Code : [.. prolog.Code, .. Enumerable.Repeat<byte>(0x90, SecondPartOffset - prolog.Code.Length)];
        byte[] code = [.. first, .. prolog.SecondPart?.Code ?? [], 0xE8, 0, 1, 0, 0];
        return Add(name, false, code.Length, prolog, [.. code, 0xCC]);
    }

    /// <summary>An ARM64 function with a frame of its own kind that calls something.</summary>
    public FakeFunction Function(string name, FakeArm64Prolog prolog, bool exported = false) =>
        Add(name, exported, prolog.ReturnOffset, null, prolog.ToBytes(), prolog);

    /// <summary>A function that spins: it loads a word of the data section, tests it, calls, and begins again.</summary>
    public FakeFunction SpinLoop(string name, int dataOffset)
    {
        int rva = TextRva + _functions.Count * FunctionSize;
        int displacement = DataRva + dataOffset - (rva + 10);
        byte[] word = BitConverter.GetBytes(displacement);
        return Add(name, false, 19, FakeProlog.Plain,
            [0x48, 0x83, 0xEC, 0x28, 0x8B, 0x05, .. word, 0x85, 0xC0, 0x74, 0x07, 0xE8, 0, 1, 0, 0, 0xEB, 0xEF, 0x48, 0x83, 0xC4, 0x28, 0xC3]);
    }

    /// <summary>A function that calls with constants in the first two argument registers.</summary>
    public FakeFunction CallWith(string name, uint first, uint second) => Add(name, false, 19, FakeProlog.Plain,
        [0x48, 0x83, 0xEC, 0x28, 0xB9, .. BitConverter.GetBytes(first), 0xBA, .. BitConverter.GetBytes(second), 0xE8, 0, 1, 0, 0, 0x48, 0x83, 0xC4, 0x28,
            0xC3]);

    /// <summary>A function that calls with constants in all four argument registers.</summary>
    public FakeFunction CallWith(string name, uint first, uint second, uint third, uint fourth) => Add(name, false, 31, FakeProlog.Plain,
    [
        0x48, 0x83, 0xEC, 0x28, 0xB9, .. BitConverter.GetBytes(first), 0xBA, .. BitConverter.GetBytes(second),
        0x41, 0xB8, .. BitConverter.GetBytes(third), 0x41, 0xB9, .. BitConverter.GetBytes(fourth), 0xE8, 0, 1, 0, 0, 0x48, 0x83, 0xC4, 0x28, 0xC3,
    ]);

    /// <summary>A function that calls through a pointer of the data section, with the address of something in that section as its argument.</summary>
    public FakeFunction CallThrough(string name, int pointer, int argument)
    {
        int next = TextRva + (_functions.Count * FunctionSize) + 17;
        return Add(name, false, 17, FakeProlog.Plain,
        [
            0x48, 0x83, 0xEC, 0x28, 0x48, 0x8D, 0x0D, .. BitConverter.GetBytes(DataRva + argument - (next - 6)), 0xFF, 0x15,
                .. BitConverter.GetBytes(DataRva + pointer - next),
            0x48, 0x83, 0xC4, 0x28, 0xC3,
        ]);
    }

    /// <summary>A function that calls with a word of the data section as its argument.</summary>
    public FakeFunction CallLoading(string name, int word)
    {
        int next = TextRva + (_functions.Count * FunctionSize) + 11;
        return Add(name, false, 16, FakeProlog.Plain,
            [0x48, 0x83, 0xEC, 0x28, 0x48, 0x8B, 0x0D, .. BitConverter.GetBytes(DataRva + word - next), 0xE8, 0, 1, 0, 0, 0x48, 0x83, 0xC4, 0x28, 0xC3]);
    }

    /// <summary>A function that calls with constants in the four argument registers and on the stack.</summary>
    public FakeFunction CallWith(string name, uint first, uint second, uint third, uint fourth, uint fifth) => Add(name, false, 39, FakeProlog.Plain,
    [
        0x48, 0x83, 0xEC, 0x28, 0xB9, .. BitConverter.GetBytes(first), 0xBA, .. BitConverter.GetBytes(second),
        0x41, 0xB8, .. BitConverter.GetBytes(third), 0x41, 0xB9, .. BitConverter.GetBytes(fourth), 0xC7, 0x44, 0x24, 0x20, .. BitConverter.GetBytes(fifth),
        0xE8, 0, 1, 0, 0, 0x48, 0x83, 0xC4, 0x28, 0xC3,
    ]);

    /// <summary>A system-call stub.</summary>
    public FakeFunction Stub(string name) => IsArm64 ? Add(name, true, 4, null, [0x81, 0, 0, 0xD4, 0xC0, 3, 0x5F, 0xD6]) : Add(name, true, 0x14, null,
        [0x4C, 0x8B, 0xD1, 0xB8, 4, 0, 0, 0, 0xF6, 0x04, 0x25, 0x08, 0x03, 0xFE, 0x7F, 0x01, 0x75, 0x03, 0x0F, 0x05, 0xC3]);

    /// <summary>A system-call stub of Windows 7, which has no choice of instruction.</summary>
    public FakeFunction ShortStub(string name) => Add(name, true, 0xA, null, [0x4C, 0x8B, 0xD1, 0xB8, 4, 0, 0, 0, 0x0F, 0x05, 0xC3]);

    /// <summary>The image as it stands in memory.</summary>
    public byte[] ToMemory()
    {
        ByteWriter image = Headers();
        for (int i = 0; i < _functions.Count; i++)
        {
            image.PadTo(TextRva + i * FunctionSize).Bytes(_code[i]);
        }

        (byte[] entries, byte[] information) = Unwinding();
        image.PadTo(PdataRva).Bytes(entries).PadTo(XdataRva).Bytes(information);
        ImageParts.Exports(image.PadTo(ExportRva), ExportRva, _functions.Where(f => f.IsExported).Select(f => (f.Name, f.Rva)));
        if (Pdb is { } pdb)
        {
            byte[] record = [.. "RSDS"u8, .. pdb.Guid.ToByteArray(), .. BitConverter.GetBytes(pdb.Age), .. Encoding.UTF8.GetBytes(pdb.Path), 0];
            image.PadTo(DebugRva + 12).UInt32(2).UInt32(record.Length).UInt32(DebugRva + 28).UInt32(0).Bytes(record);
        }

        Tls(image.PadTo(TlsRva));
        return image.PadTo(DataRva).Bytes(DataBytes).PadTo(ImageSize).ToArray();
    }

    private FakeFunction Add(string name, bool exported, int returnOffset, FakeProlog? prolog, byte[] code, FakeArm64Prolog? arm64 = null)
    {
        FakeFunction function = new(this, name, exported, TextRva + _functions.Count * FunctionSize, returnOffset, prolog) { Arm64 = arm64 };
        _functions.Add(function);
        _code.Add(code);
        return function;
    }

    /// <summary>RUNTIME_FUNCTION entries and what they point to. A function in two parts has two entries, the second chained to the first.</summary>
    private (byte[] Entries, byte[] Information) Unwinding()
    {
        ByteWriter entries = new();
        ByteWriter information = new();
        foreach ((int begin, FakeArm64Prolog prolog) in _functions.Where(f => f.Arm64 is not null).Select(f => (f.Rva, f.Arm64!)))
        {
            entries.UInt32(begin).UInt32(prolog.Data(XdataRva + information.Length));
            information.Bytes(prolog.Record());
        }

        foreach ((int begin, FakeProlog prolog) in _functions.Where(f => f.Prolog is not null).Select(f => (f.Rva, f.Prolog!)))
        {
            int end = begin + FunctionSize;
            int middle = prolog.SecondPart is null ? end : begin + SecondPartOffset;
            int first = XdataRva + information.Length;
            entries.UInt32(begin).UInt32(middle).UInt32(first);
            information.Bytes(prolog.UnwindInfo(0));
            if (prolog is { SecondPart: not null, IsIndirect: true })
            {
                int firstEntry = PdataRva + entries.Length - EntrySize;
                entries.UInt32(middle).UInt32(end).UInt32(firstEntry | 1);
            }
            else if (prolog.SecondPart is { } second)
            {
                entries.UInt32(middle).UInt32(end).UInt32(XdataRva + information.Length);
                information.Bytes(second.UnwindInfo(4)).UInt32(begin).UInt32(middle).UInt32(first);
            }
        }

        return (entries.ToArray(), information.ToArray());
    }

    /// <summary>The TLS directory: addresses of data (none), of the index, and of the list of callbacks, which ends with 0.</summary>
    private void Tls(ByteWriter w)
    {
        if (TlsCallback is { } callback)
        {
            w.UInt64(0).UInt64(0).UInt64(Data + 0xFF8).UInt64(BaseAddress + TlsRva + TlsDirectorySize).UInt64(0);
            w.UInt64(callback.Start).UInt64(0);
        }
    }

    private ByteWriter Headers()
    {
        const int OptionalSize = 0xF0;
        int unwound = Unwinding().Entries.Length;
        ByteWriter w = new();
        w.Bytes("MZ"u8).PadTo(0x3C).UInt32(0x80).PadTo(0x80).Bytes("PE\0\0"u8);
        w.UInt16(IsArm64 ? 0xAA64 : 0x8664).UInt16(4).UInt32(0x60000000).UInt32(0).UInt32(0).UInt16(OptionalSize).UInt16(0x2022);
        int optional = w.Length;
        w.UInt16(0x20B).UInt16(0).UInt32(0x2000).UInt32(0x4000).UInt32(0).UInt32(EntryPoint?.Rva ?? 0).UInt32(TextRva);
        w.UInt64(BaseAddress).UInt32(0x1000).UInt32(0x200).UInt32(10).UInt32(0).UInt32(10).UInt32(0).UInt32(ImageSize).UInt32(0x400).UInt32(0);
        w.UInt16(3).UInt16(0).UInt64(0x100000).UInt64(0x1000).UInt64(0x100000).UInt64(0x1000).UInt32(0).UInt32(16);
        w.UInt32(ExportRva).UInt32(0x2000).UInt64(0).UInt64(0).UInt32(PdataRva).UInt32(unwound);
        w.PadTo(optional + 112 + 6 * 8).UInt32(DebugRva).UInt32(Pdb is null ? 0 : 28);
        if (TlsCallback is not null)
        {
            // The directory is the tenth of sixteen; the exception directory was the fourth.
            w.PadTo(optional + 112 + 9 * 8).UInt32(TlsRva).UInt32(TlsDirectorySize);
        }

        w.PadTo(optional + OptionalSize);
        ImageParts.Section(w, ".text", TextRva, 0x2000, 0x60000020);
        ImageParts.Section(w, ".pdata", PdataRva, 0x1000, 0x40000040);
        ImageParts.Section(w, ".rdata", ExportRva, 0x2000, 0x40000040);
        ImageParts.Section(w, ".data", DataRva, 0x1000, 0xC0000040);
        return w;
    }
}
