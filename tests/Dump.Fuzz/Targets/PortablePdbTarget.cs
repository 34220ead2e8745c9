using Dump.Fuzz.Inputs;
using Dump.Fuzz.Oracles;
using Dump.Model.Facts;
using Dump.Readers.Symbols.Portable;

namespace Dump.Fuzz.Targets;

/// <summary>Portable PDB files of managed code, by themselves and inside of images: lines, awaits, addresses of sources.</summary>
internal sealed class PortablePdbTarget() : FuzzTarget("pdb-portable", "portable PDB files, embedded ones too")
{
    private const string SourceLink = """{"documents":{"/src/*":"https://example.com/shop/*","/src/Shop/Orders.cs":"https://example.com/orders"}}""";

    private readonly Sample[] _samples =
    [
        Sample.Of("lines", FakePortablePdb.Make()),
        Sample.Of("awaits and source link", FakePortablePdb.Make(sourceLink: SourceLink, repeated: 3, yields: [5, 9])),
        Sample.Of("embedded", FakePortablePdb.Embedded(FakePortablePdb.Make(sourceLink: SourceLink, yields: [5, 9]))),
    ];

    /// <inheritdoc/>
    public override byte[] Input(Random random) => ByteMutator.Damage(_samples, random);

    /// <inheritdoc/>
    public override string Execute(byte[] input)
    {
        PortablePdb? pdb = input.AsSpan().StartsWith("MPDB"u8)
            ? PortablePdb.FromEmbedded(input, FakePortablePdb.Identity, out string? reason)
            : PortablePdb.FromBytes(input, FakePortablePdb.Identity, out reason);
        Oracle.Holds(pdb is null == reason is not null, $"there is a file and the reason '{reason}', or neither");
        if (pdb is null)
        {
            return Oracle.IsSentence(reason!);
        }

        int lines = 0;
        for (int i = 0; i < 16; i++)
        {
            lines += Check(pdb.Find(FakePortablePdb.Token + i % 3, i)) + Check(pdb.OfAwait(FakePortablePdb.Token + i % 3, i - 1));
        }

        return $"{lines} lines";
    }

    private static int Check(SourceLocation? found)
    {
        Oracle.IsHarmless(found?.File);
        Oracle.IsHarmless(found?.Link);
        Oracle.Holds(found is null or { Line: > 0 }, "a line is not positive");
        return found is null ? 0 : 1;
    }

    // An embedded one may say that it unpacks to 128 MiB; what is there is unpacked piece by piece.
    /// <inheritdoc/>
    public override long MostAllocated(int length) => (4L << 20) + 4_096L * length;
}
