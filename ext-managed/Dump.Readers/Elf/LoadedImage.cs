using Dump.Readers.Unwinding.Dwarf;

namespace Dump.Readers.Elf;

/// <summary>An image with what is read from it once, when it is first asked for. Safe for concurrent use.</summary>
internal sealed class LoadedImage(ElfImage image)
{
    private readonly Lazy<ElfSymbols> _symbols = new(() => ElfSymbols.Read(image));
    private readonly Lazy<UnwindTable?> _unwinding = new(() => UnwindTable.Read(image, image.UnwindTable));

    /// <summary>The image.</summary>
    public ElfImage Image => image;

    /// <summary>Its functions.</summary>
    public ElfSymbols Symbols => _symbols.Value;

    /// <summary>Its unwind information, or null when it has none that is readable.</summary>
    public UnwindTable? Unwinding => _unwinding.Value;
}
