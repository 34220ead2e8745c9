using System.Buffers.Binary;
using Dump.Model.Process;
using Dump.Readers.Pe;
using Dump.Readers.Symbols;

namespace Dump.Readers.Tests.Symbols;

/// <summary>A process with one module, of which the dump has no memory: all of it comes from the file.</summary>
internal sealed class LibraryOnDisk : IMemory, IModuleMap, IDisposable
{
    public const ulong Base = 0x7FF8_1234_0000;
    private readonly PeImages _images;

    public LibraryOnDisk(string directory, string file)
    {
        byte[] bytes = File.ReadAllBytes(Path.Combine(directory, file));
        int header = BinaryPrimitives.ReadInt32LittleEndian(bytes.AsSpan(0x3C));
        PreferredBase = BinaryPrimitives.ReadUInt64LittleEndian(bytes.AsSpan(header + 24 + 24));
        Module = new ModuleSnapshot(
            file,
            file,
            Base,
            BinaryPrimitives.ReadUInt32LittleEndian(bytes.AsSpan(header + 24 + 56)),
            BinaryPrimitives.ReadUInt32LittleEndian(bytes.AsSpan(header + 8)),
            null,
            false);
        _images = new PeImages(this, this, [directory]);
        Symbols = new ModuleSymbols(_images, this, SymbolSearchPath.Parse(directory));
    }

    public ModuleSnapshot Module { get; }

    /// <summary>Where the linker placed it.</summary>
    public ulong PreferredBase { get; }

    public ModuleSymbols Symbols { get; }

    public PeImages Images => _images;

    public PeImage Image => _images.Find(Module)!;

    public IReadOnlyList<ModuleSnapshot> Modules => [Module];

    public int Read(ulong address, Span<byte> destination) => 0;

    public ModuleSnapshot? Find(ulong address) => Module.Contains(address) ? Module : null;

    public void Dispose()
    {
        Symbols.Dispose();
        _images.Dispose();
    }
}
