using System.Diagnostics;
using Dump.Fuzz.Inputs;
using Dump.Model.Facts;
using Dump.Readers.Symbols.Portable;

namespace Dump.Readers.Tests.Symbols.Portable;

/// <summary>Lines of portable PDBs: as the runtime has them, and never of another build or out of damage.</summary>
public sealed class PortablePdbTests
{
    private static string Assembly => typeof(PortablePdbTests).Assembly.Location;

    [Fact]
    public void Lines_are_those_of_the_runtime()
    {
        using ManagedImage image = ManagedImage.OfFile(Assembly)!;
        PortablePdb pdb = PortablePdb.Open(Path.ChangeExtension(Assembly, ".pdb"), image.Pdb!, out string? reason)!;
        Assert.Null(reason);
        StackFrame[] frames = [.. Traces().SelectMany(t => t.GetFrames()).Where(f => f.GetMethod()?.Module.Assembly == typeof(PortablePdbTests).Assembly)];
        Assert.True(frames.Length >= 8);
        foreach (StackFrame frame in frames)
        {
            SourceLocation? found = pdb.Find(frame.GetMethod()!.MetadataToken, frame.GetILOffset());
            Assert.Equal((frame.GetFileName(), frame.GetFileLineNumber(), (int?)frame.GetFileColumnNumber()), (found?.File, found?.Line, found?.Column));
        }
    }

    [Theory]
    [InlineData(0, 10)]
    [InlineData(3, 10)]
    [InlineData(4, 10)]
    [InlineData(7, 10)]
    [InlineData(8, 12)]
    [InlineData(int.MaxValue, 12)]
    public void Hidden_code_belongs_to_the_line_before(int offset, int line) =>
        Assert.Equal(line, PortablePdb.FromBytes(FakePortablePdb.Make(), FakePortablePdb.Identity, out _)!.Find(FakePortablePdb.Token, offset)!.Line);

    [Fact]
    public void Await_is_found_by_its_number()
    {
        PortablePdb pdb = PortablePdb.FromBytes(FakePortablePdb.Make(yields: [5, 9]), FakePortablePdb.Identity, out _)!;
        Assert.Equal((10, 12), (pdb.OfAwait(FakePortablePdb.Token, 0)!.Line, pdb.OfAwait(FakePortablePdb.Token, 1)!.Line));
        Assert.Null(pdb.OfAwait(FakePortablePdb.Token, 2));
        Assert.Null(pdb.OfAwait(FakePortablePdb.Token, -1));
        Assert.Null(pdb.OfAwait(FakePortablePdb.Token + 1, 0));
    }

    [Fact]
    public void Other_builds_are_refused()
    {
        byte[] bytes = FakePortablePdb.Make();
        Assert.Null(PortablePdb.FromBytes(bytes, FakePortablePdb.Identity with { Stamp = 1 }, out string? stamp));
        Assert.Null(PortablePdb.FromBytes(bytes, FakePortablePdb.Identity with { Guid = Guid.Empty }, out string? guid));
        Assert.Contains("another build", stamp, StringComparison.Ordinal);
        Assert.Contains("another build", guid, StringComparison.Ordinal);
        Assert.NotNull(PortablePdb.FromBytes(bytes, FakePortablePdb.Identity with { Path = "other.pdb" }, out _));
    }

    [Fact]
    public void Truncated_files_have_no_lines_and_throw_nothing()
    {
        byte[] bytes = FakePortablePdb.Make(sourceLink: "{}", yields: [5, 9]);
        for (int length = 0; length < bytes.Length; length++)
        {
            Look(bytes[..length]);
        }
    }

    [Fact]
    public void Damaged_files_throw_nothing()
    {
        byte[] sound = FakePortablePdb.Make(sourceLink: """{"documents":{"/src/*":"https://git.example/*"}}""", yields: [5, 9]);
        Random random = new(17);
        for (int i = 0; i < 3_000; i++)
        {
            byte[] bytes = [.. sound];
            for (int change = 0; change < 3; change++)
            {
                bytes[random.Next(bytes.Length)] = (byte)(random.Next(3) switch { 0 => 0xFF, 1 => 0, _ => random.Next(256) });
            }

            Look(bytes);
        }
    }

    [Fact]
    public void Path_that_names_one_part_a_million_times_is_cut()
    {
        byte[] bytes = FakePortablePdb.Make("/src/" + new string('a', 100_000), repeated: 1_000_000);
        SourceLocation found = PortablePdb.FromBytes(bytes, FakePortablePdb.Identity, out _)!.Find(FakePortablePdb.Token, 0)!;
        Assert.InRange(found.File.Length, 10, 2 * PortablePdbLayout.LongestPath);
    }

    [Fact]
    public void Path_is_cleaned() => Assert.Equal("/src/a?[31mb.cs",
        PortablePdb.FromBytes(FakePortablePdb.Make("/src/a\u001b[31mb.cs"), FakePortablePdb.Identity, out _)!.Find(FakePortablePdb.Token, 0)!.File);

    [Theory]
    [InlineData("""{"documents":{"/src/*":"https://git.example/shop/*"}}""", "https://git.example/shop/Shop/Orders.cs")]
    [InlineData("""{"documents":{"/*":"https://git.example/all/*","/src/Shop/*":"https://git.example/shop/*"}}""", "https://git.example/shop/Orders.cs")]
    [InlineData("""{"documents":{"/src/Shop/Orders.cs":"https://git.example/o"}}""", "https://git.example/o")]
    [InlineData("""{"documents":{"/other/*":"https://git.example/*"}}""", null)]
    [InlineData("""{"documents":{"/src/*":"javascript:alert(1)//*"}}""", null)]
    [InlineData("""{"documents":{"/src/*":"file:///etc/*"}}""", null)]
    [InlineData("""{"documents":[1,2]}""", null)]
    [InlineData("[[[[[[[[[[[[[[[[[[[[", null)]
    public void SourceLink_gives_public_addresses(string map, string? expected) => Assert.Equal(expected,
        PortablePdb.FromBytes(FakePortablePdb.Make(sourceLink: map), FakePortablePdb.Identity, out _)!.Find(FakePortablePdb.Token, 0)!.Link);

    [Fact]
    public void Embedded_PDB_is_read_within_its_claimed_size()
    {
        byte[] pdb = FakePortablePdb.Make();
        Assert.Equal(10, PortablePdb.FromEmbedded(FakePortablePdb.Embedded(pdb), FakePortablePdb.Identity, out _)!.Find(FakePortablePdb.Token, 0)!.Line);
        foreach (int claimed in (int[])[0, -1, 10, pdb.Length + 1, PortablePdbLayout.MostBytes, int.MaxValue])
        {
            Assert.Null(PortablePdb.FromEmbedded(FakePortablePdb.Embedded(pdb, claimed), FakePortablePdb.Identity, out string? reason));
            Assert.NotNull(reason);
        }

        byte[] data = FakePortablePdb.Embedded(pdb);
        for (int length = 0; length < data.Length; length++)
        {
            // The last bytes of a deflated stream say no more than that it ends: without them all of the PDB is there.
            PortablePdb? cut = PortablePdb.FromEmbedded(data[..length], FakePortablePdb.Identity, out _);
            Assert.True(cut is null || length > data.Length - 8, $"{length} of {data.Length} bytes");
            Assert.Equal(cut is null ? null : 10, cut?.Find(FakePortablePdb.Token, 0)?.Line);
        }
    }

    private static void Look(byte[] bytes)
    {
        PortablePdb? pdb = PortablePdb.FromBytes(bytes, FakePortablePdb.Identity, out string? reason);
        Assert.True(pdb is null == reason is not null);
        pdb?.Find(FakePortablePdb.Token, 8);
        pdb?.OfAwait(FakePortablePdb.Token, 1);
    }

    private static List<StackTrace> Traces()
    {
        List<StackTrace> traces = [];
        Action inner = () => traces.Add(new StackTrace(fNeedFileInfo: true));
        inner();
        foreach (int number in Numbers(inner))
        {
            Assert.Equal(1, number);
        }

        Later(inner).GetAwaiter().GetResult();
        return traces;
    }

    private static IEnumerable<int> Numbers(Action inner)
    {
        inner();
        yield return 1;
    }

    private static async Task Later(Action inner)
    {
        await Task.Yield();
        inner();
    }
}
