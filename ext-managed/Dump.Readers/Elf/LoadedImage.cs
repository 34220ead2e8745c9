using Dump.Model.Facts;
using Dump.Readers.Unwinding.Dwarf;

namespace Dump.Readers.Elf;

/// <summary>An image with what is read from it once, when it is first asked for. Safe for concurrent use.</summary>
internal sealed class LoadedImage(ElfImage image)
{
    private readonly Lazy<ElfSymbols> _symbols = new(() => ElfSymbols.Read(image));
    private readonly Lazy<UnwindTable?> _unwinding = new(() => UnwindTable.Read(image, image.UnwindTable, image.Machine?.Dwarf));
    private readonly Lazy<DebugFrames?> _debugFrames = new(() =>
        image.Machine is { } machine && image.Files.Select(f => ElfDebugSection.Read(f, ".debug_frame")).FirstOrDefault(s => s is not null) is { } section
            ? DebugFrames.Read(section, image.Bias, machine.Dwarf) : null);
    private readonly Lazy<DwarfLines?> _lines = new(() => image.Files.Select(DwarfLines.Read).FirstOrDefault(l => l is not null));

    /// <summary>The image.</summary>
    public ElfImage Image => image;

    /// <summary>Its functions.</summary>
    public ElfSymbols Symbols => _symbols.Value;

    /// <summary>
    /// How to unwind a frame of the function that contains an address: by what is loaded, else by what only debuggers use, where code was compiled without
    /// tables for exceptions. Null when neither describes it.
    /// </summary>
    public FrameDescription? Unwinding(ulong address) => _unwinding.Value?.Find(address) ?? _debugFrames.Value?.Find(address);

    /// <summary>The line of source code of an address, or null.</summary>
    public SourceLocation? LineOf(ulong address) => _lines.Value?.Find(unchecked(address - image.Bias));

    /// <summary>The line of an address in the function whose code it is, with what is inlined there.</summary>
    public LinePlace PlaceOf(ulong address) => _lines.Value?.Place(unchecked(address - image.Bias)) ?? LinePlace.Unknown;
}
