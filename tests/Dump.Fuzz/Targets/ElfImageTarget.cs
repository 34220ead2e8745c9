using Dump.Fuzz.Inputs;
using Dump.Fuzz.Oracles;
using Dump.Fuzz.Processes;
using Dump.Readers.Elf;
using Dump.Readers.ElfCore;
using Dump.Readers.Linux.Stacks;
using Dump.Readers.Minidump;
using Dump.Readers.Unwinding.Dwarf;

namespace Dump.Fuzz.Targets;

/// <summary>Linux programs and libraries, in memory and as files: headers, notes, sections, symbols, dynamic tables, unwind tables.</summary>
internal sealed class ElfImageTarget : FuzzTarget
{
    private const ulong Base = 0x7F00_0000_0000;
    private const long MostBytes = 8L << 20;
    private readonly Sample[] _samples = [Sample.Of("library", ElfSamples.Library()), Sample.Of("debug file", ElfSamples.DebugFile())];

    public ElfImageTarget()
        : base("elf", "Linux images, in memory and as files")
    {
    }

    /// <inheritdoc/>
    public override byte[] Input(Random random) => ByteMutator.Damage(_samples, random);

    /// <inheritdoc/>
    public override long MostAllocated(int length) => MostBytes + 64L * length;

    /// <inheritdoc/>
    public override string Execute(byte[] input)
    {
        using FileBytes file = FileBytes.Wrap(input);
        string outcome = $"{BuildId(file)} {ElfSection.Read(file).Count} {ElfSection.AreWhole(file)} {ElfExports.Find(file, ElfSamples.Export) is not null}";
        PlacedImage process = new(input, Base);
        using ElfImage? image = ElfImage.Read(process, Base, _ => FileBytes.Wrap(input), _ => FileBytes.Wrap(input));
        return image is null ? $"{outcome} no image" : $"{outcome} {Ask(image)}";
    }

    private static string BuildId(FileBytes file)
    {
        try
        {
            return ElfBuildId.Read(file) is null ? "none" : "id";
        }
        catch (Readers.InvalidDumpException error)
        {
            return Oracle.IsSentence(error.Message);
        }
    }

    private static string Ask(ElfImage image)
    {
        LoadedImage loaded = new(image);
        int named = 0, unwound = 0;
        for (ulong at = Base + 0x1000; at < Base + 0x1400; at += 0x20)
        {
            named += loaded.Symbols.Find(at) is { } function && function.Name.Length > 0 ? 1 : 0;
            unwound += loaded.Unwinding(at) is { } description && FrameInstructions.At(description, at) is not null ? 1 : 0;
            _ = image.OffsetOf(at);
        }

        return $"{named} {unwound} {image.DynamicTables?.AddressOf(ElfSamples.Export) is not null} {loaded.Symbols.Named([ElfSamples.Export]).Count()} "
            + $"{TailCalls.Of(loaded).Count}";
    }
}
