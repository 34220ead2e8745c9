using Dump.Fuzz.Inputs;
using Dump.Fuzz.Oracles;
using Dump.Readers.Pe;
using Dump.Readers.Symbols.Pdb;
using Dump.Testing.Synthetic;

namespace Dump.Fuzz.Targets;

/// <summary>PDB files of native code: streams, public symbols, procedures, lines, frame data.</summary>
internal sealed class PdbTarget() : FuzzTarget("pdb", "PDB files of native code")
{
    /// <summary>The last word on a file that was read.</summary>
    public const string Named = " named";

    private const long MostBytes = 4L << 20;
    private readonly Sample[] _samples =
    [
        .. new[] { (512, false), (512, true), (4096, false) }.Select(s => Sample.Of($"{s.Item1} {s.Item2}", Sound(s.Item1, s.Item2).ToArray())),
    ];

    /// <summary>The identity of the sound file.</summary>
    public static PdbIdentity Identity { get; } = new("a.pdb", new FakePdb().Guid, new FakePdb().Age);

    /// <summary>A file with what the reader knows: names of functions and data, procedures of two modules, lines.</summary>
    public static FakePdb Sound(int blockSize = 512, bool isRearranged = false, bool hasSections = true) =>
        new FakePdb { BlockSize = blockSize, IsRearranged = isRearranged, HasSections = hasSections }
            .Section(0x1000, 0x2000, FakePdb.Code)
            .Section(0x4000, 0x1000, FakePdb.Data)
            .Public("NtClose", 1, 0x100)
            .Public("ZwClose", 1, 0x100)
            .Public("LdrpLoaderLock", 2, 0x20, flags: 0)
            .Public("FlaggedData", 2, 0x40)
            .Public("table_in_code", 1, 0x180, flags: 0)
            .Public("OutsideItsSection", 1, 0x2000)
            .Public("OfNoSection", 0, 0x10)
            .Public("?run@Engine@@QEAAHH@Z", 1, 0x200)
            .Public("_underscored", 1, 0x700)
            .Other(0x1125, 1, 2, 3, 4, 5)
            .Module("engine.obj")
            .Procedure("Engine::run", 1, 0x200, 0x40)
            .Procedure("local", 1, 0x300, 0x10, kind: 0x110F)
            .Lines(1, 0x200, 0x40, @"C:\src\engine.cpp", (0, 10, 1), (8, 11, 5), (0x20, 12, 9))
            .Lines(1, 0x300, 0x10, @"C:\src\engine.h", (0, 20, 0))
            .Module("other.obj")
            .Procedure("local", 1, 0x400, 0x10, kind: 0x1146)
            .Procedure("global", 1, 0x500, 0x10, kind: 0x1147)
            .Procedure("in_data", 2, 0x100, 0x10);

    /// <inheritdoc/>
    public override byte[] Input(Random random) => ByteMutator.Damage(_samples, random);

    /// <inheritdoc/>
    public override string Execute(byte[] input)
    {
        string? reason = Read(input, out int named);
        return reason ?? $"{named}{Named}";
    }

    /// <inheritdoc/>
    public override long MostAllocated(int length) => MostBytes;

    /// <summary>Reads a file and asks it everything.</summary>
    /// <returns>Why it is refused; null when it is not.</returns>
    public static string? Read(byte[] bytes, out int named)
    {
        named = 0;
        using PdbFile? pdb = PdbFile.FromBytes(bytes, Identity, out string? reason);
        Oracle.Holds(pdb is null == reason is not null, $"there is a file and the reason '{reason}', or neither");
        for (uint rva = 0x1000; pdb is not null && rva < 0x1800; rva += 0x40)
        {
            string? name = pdb.Functions.At(rva, null)?.Name;
            named += name is null ? 0 : 1;
            Oracle.IsHarmless(name);
            Oracle.IsHarmless(pdb.Lines.At(rva)?.File);
            Oracle.Holds(pdb.Lines.At(rva) is null or { Line: > 0, Column: null or > 0 }, "a line is not positive");
            Oracle.Holds(pdb.Functions.Covering(rva) is not { } f || (f.Rva <= rva && rva - f.Rva < f.Length), "a function covers what it does not");
        }

        pdb?.AddressOf("LdrpLoaderLock");
        _ = pdb?.Frames;
        return reason is null ? null : Oracle.IsSentence(reason);
    }
}
