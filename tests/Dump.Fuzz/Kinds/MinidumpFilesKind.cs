using Dump.Fuzz.Inputs;
using Dump.Fuzz.Shipped;
using Dump.Fuzz.Targets;
using Dump.Testing.Synthetic;

namespace Dump.Fuzz.Kinds;

/// <summary>Windows minidumps without the memory of their images, which lie beside them with a symbol file: each may be damaged.</summary>
internal sealed class MinidumpFilesKind : ProgramKind
{
    private readonly Sample _dump;
    private readonly (string Name, Sample Sample)[] _images;
    private readonly Sample _symbols;

    public MinidumpFilesKind()
        : base("minidump-files", together: 1)
    {
        FakeProcess process = new LoadOwnershipScene().Build();
        FakePdb symbols = PdbTarget.Sound();
        FakeImage program = new(@"C:\app\app.exe", 0x1_4000_0000) { Pdb = (@"C:\build\app.pdb", symbols.Guid, symbols.Age) };
        FakeFunction run = program.Function("run", exported: false);
        process.Images.Add(program);
        process.Threads.Add(new FakeThread(0x4440, [run]));
        process.HasImageMemory = false;
        _dump = Sample.OfMinidump("without images", process.ToMinidump());
        _images = [.. process.Images.Select(i => (i.Path.Split('\\')[^1], Sample.Of(i.Path, i.ToMemory())))];
        _symbols = Sample.Of("app.pdb", symbols.ToArray());
    }

    /// <inheritdoc/>
    public override ProgramInput Make(Random random, long number) => new(Maybe(_dump, random), IsCore: false)
    {
        Images = [.. _images.Select(i => (i.Name, Maybe(i.Sample, random)))],
        Symbols = [("app.pdb", Maybe(_symbols, random))],
    };

    private static byte[] Maybe(Sample sample, Random random) => random.Next(2) == 0 ? sample.Bytes : ByteMutator.Damage([sample], random);
}
