using Dump.Fuzz.Inputs;
using Dump.Fuzz.Oracles;
using Dump.Readers.Cabinets;
using Dump.Readers.ElfCore;
using Dump.Readers.Pe;
using Dump.Readers.Wanted;
using Dump.Testing.Synthetic;

namespace Dump.Fuzz.Targets;

/// <summary>What symbol servers and debuginfod servers answer: files and packed files, until it is known whether they are the wanted ones.</summary>
internal sealed class SymbolServerTarget : FuzzTarget, IDisposable
{
    private const long MostUnpacked = 1 << 20;
    private readonly ScratchFile _file = new();
    private readonly Sample[] _samples =
    [
        Sample.Of("PDB", PdbTarget.Sound().ToArray()), Sample.Of("packed PDB", CabinetFile.MakePacked("a.pdb", PdbTarget.Sound().ToArray())),
        Sample.Of("portable PDB", FakePortablePdb.Make()), Sample.Of("packed portable PDB", CabinetFile.MakePacked("shop.pdb", FakePortablePdb.Make())),
        Sample.Of("packed image", CabinetFile.MakePacked("a.dll", new FakeImage("a.dll", 0x1_8000_0000).ToMemory()[..4_096])),
        Sample.Of("debug file", ElfSamples.DebugFile()),
    ];

    private readonly WantedFile[] _wanted =
        [WantedFile.Of(PdbTarget.Identity), WantedFile.Of(FakePortablePdb.Identity, []), WantedFile.Of("a.dll", "0", new PeFileIdentity(1, 2))];

    public SymbolServerTarget()
        : base("symbol-server", "answers of symbol servers and debuginfod")
    {
    }

    /// <inheritdoc/>
    public override byte[] Input(Random random) => ByteMutator.Damage(_samples, random);

    /// <inheritdoc/>
    public override long MostAllocated(int length) => (24L << 20) + 64L * length;

    /// <inheritdoc/>
    public override string Execute(byte[] input)
    {
        string path = _file.Write(input), target = _file.At("unpacked");
        File.Delete(target);
        try
        {
            if (input.AsSpan().StartsWith("MSCF"u8))
            {
                new PortableCabinets().UnpackOnly(path, target, MostUnpacked);
                Oracle.Holds(new FileInfo(target).Length <= MostUnpacked, "more was unpacked than is allowed");
                path = target;
            }
        }
        catch (Exception error) when (error is InvalidDataException or IOException)
        {
            Oracle.Holds(!File.Exists(target) || new FileInfo(target).Length <= MostUnpacked + 0x8000, "more was unpacked than is allowed");
            return error.Message;
        }

        return string.Join(' ', _wanted.Select(w => w.Is(path, out string? reason) ? "wanted" : Oracle.IsSentence(reason!)).Append(ElfBuildId.Read(path)));
    }

    public void Dispose() => _file.Dispose();
}
