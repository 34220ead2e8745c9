using Dump.Model;
using Dump.Readers.Pe;

namespace Dump.Readers.Symbols;

/// <summary>Names of functions from export tables. Safe for concurrent use.</summary>
/// <param name="images">Images of the modules.</param>
/// <param name="modules">The modules.</param>
public sealed class ModuleSymbols(PeImages images, IModuleMap modules) : ISymbols
{
    // A system-call stub is 32 bytes long at most; its call stands in the first 0x14.
    private const uint LongestStub = 0x20;

    // A thread inside a system call returns to the instruction behind "syscall", which stands at this offset of every x64 stub.
    private const uint ReturnOffset = 0x14;

    /// <inheritdoc/>
    public FunctionName? NameOf(ulong address, ulong? functionStart)
    {
        if (images.Find(address, out uint rva) is not { } image)
        {
            return null;
        }

        if (functionStart is { } start && start >= image.BaseAddress && start - image.BaseAddress <= uint.MaxValue)
        {
            return Exact(image, (uint)(start - image.BaseAddress));
        }

        return Exact(image, rva) ?? Stub(image, rva);
    }

    /// <inheritdoc/>
    public ulong? AddressOf(string moduleStem, string name)
    {
        foreach (ModuleSnapshot module in modules.Modules)
        {
            if (Path.GetFileNameWithoutExtension(module.Name).Equals(moduleStem, StringComparison.OrdinalIgnoreCase)
                && images.Find(module)?.FindExport(name) is { IsForwarder: false } export)
            {
                return module.BaseAddress + export.Rva;
            }
        }

        return null;
    }

    private static FunctionName? Exact(PeImage image, uint rva) => image.FindExport(rva) is { } export
        ? new FunctionName(SafeText.Clean(export.Name, 512), image.BaseAddress + rva, SymbolSource.Export)
        : null;

    /// <summary>System-call stubs have no unwind information that would tell where they begin; their form does: an export shortly before, whose code loads RAX or the address follows a system call; where the code is not in the dump, an Nt or Zw export exactly as far before as the return from the call.</summary>
    private static FunctionName? Stub(PeImage image, uint rva)
    {
        if (image.FindExportAtOrBelow(rva) is not { } export || rva - export.Rva >= LongestStub || !image.AreInSameGap(export.Rva, rva))
        {
            return null;
        }

        Span<byte> head = stackalloc byte[4];
        Span<byte> before = stackalloc byte[2];
        bool begins = image.ReadRva(export.Rva, head) && head is [0x4C, 0x8B, 0xD1, 0xB8];
        bool follows = image.ReadRva(rva - 2, before) && (before is [0x0F, 0x05] or [0xCD, 0x2E]);
        bool unreadable = !image.ReadRva(rva - 2, before);
        bool stands = unreadable && rva - export.Rva == ReturnOffset
            && (export.Name.StartsWith("Nt", StringComparison.Ordinal) || export.Name.StartsWith("Zw", StringComparison.Ordinal));
        return begins || follows || stands ? Exact(image, export.Rva) : null;
    }
}
