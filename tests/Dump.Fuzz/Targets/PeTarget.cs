using Dump.Fuzz.Inputs;
using Dump.Fuzz.Oracles;
using Dump.Fuzz.Processes;
using Dump.Model.Process;
using Dump.Readers.Pe;
using Dump.Readers.Symbols.Portable;
using Dump.Testing.Synthetic;
using Dump.Testing.Synthetic.X86;

namespace Dump.Fuzz.Targets;

/// <summary>Windows images in memory and as files: headers, exports, unwind tables, TLS callbacks, versions, identities, embedded PDBs.</summary>
internal sealed class PeTarget : FuzzTarget, IDisposable
{
    private const ulong Base = HandBuiltProcess.Base;
    private const long MostBytes = 8L << 20;
    private readonly ScratchFile _file = new();
    private readonly Sample[] _samples = [Sample.Of("tables", Tables()), Sample.Of("code", Code()), Sample.Of("managed", Managed())];

    public PeTarget()
        : base("pe", "Windows images, in memory and as files")
    {
    }

    /// <inheritdoc/>
    public override byte[] Input(Random random) => ByteMutator.Damage(_samples, random);

    /// <inheritdoc/>
    public override long MostAllocated(int length) => MostBytes + 64L * length;

    /// <inheritdoc/>
    public override string Execute(byte[] input)
    {
        PlacedImage process = new(input, Base);
        using PeImages images = new(process, process);
        string outcome = images.Find(process.Module) is { } image ? Ask(image) : "no image";
        foreach (ReaderProblem problem in images.Problems)
        {
            Oracle.IsHarmless(problem.ToString());
        }

        using ManagedImage? inMemory = ManagedImage.InMemory(process, Base);
        _ = ModuleVersion.InMemory(process, Base, (ulong)input.Length);
        _ = ModuleVersion.OfAssembly(process, Base, (ulong)input.Length);
        string path = _file.Write(input);
        using ManagedImage? ofFile = ManagedImage.OfFile(path);
        return $"{outcome} {inMemory?.Pdb is not null} {Embedded(ofFile)} {PeFileIdentity.Read(path) is not null} {ModuleVersion.OfFile(path) is not null}";
    }

    public void Dispose() => _file.Dispose();

    private static string Ask(PeImage image)
    {
        int functions = 0;
        for (uint rva = 0x1000; rva < 0x3000; rva += 0x40)
        {
            functions += image.LookUpFunction(rva, out RuntimeFunction function) == FunctionLookup.Found ? 1 : 0;
            _ = UnwindInfo.Read(image, function.UnwindInfo);
            _ = image.FindSection(rva);
            Oracle.IsHarmless(image.FindExportAtOrBelow(rva)?.Name);
            _ = image.AreInSameGap(rva, rva + 0x40);
        }

        Oracle.IsHarmless(image.Company);
        Oracle.IsHarmless(image.Pdb?.FileName);
        _ = image.FindExport("Alpha");
        return $"{image.AddressExports.Count} {image.ExportsAreComplete} {functions} {image.TlsCallbacks.Count} {image.Pdb is not null} "
            + $"{image.Company is not null}";
    }

    private static string Embedded(ManagedImage? image)
    {
        string? reason = null;
        return image is null ? "no file" : image.OpenEmbedded(out reason) is not null ? "embedded" : reason is null ? "none" : Oracle.IsSentence(reason);
    }

    private static byte[] Tables()
    {
        HandBuiltProcess process = new();
        process.Exports(("Alpha", 2, 0x1200), ("Beta", 0, 0x1100), ("Gamma", 1, 0x1100), ("Sent", 3, ImageTables.ExportDirectory + 0x300));
        process.TlsCallbacks(HandBuiltProcess.Base + 0x1200, HandBuiltProcess.Base + 0x1300);
        process.EntryPoint(0x1100);
        process.Function(0x1100, 0x1140, 0x620, 0x01, 0x04, 0x01, 0x00, 0x04, 0x32);
        process.Function(0x1200, 0x1280, 0x640, 0x01, 0x0E, 0x04, 0x15, 0x0E, 0x34, 0x03, 0x00, 0x09, 0x03, 0x04, 0x32);
        return process.Image.ToArray();
    }

    private static byte[] Code()
    {
        FakeImage image = new("engine.dll", Base) { Pdb = (@"C:\build\engine.pdb", Guid.Empty, 1) };
        image.Function("run");
        image.TlsCallback = image.Function("callback");
        image.SpinLoop("spin", 0x10);
        image.Stub("NtClose");
        return image.ToMemory();
    }

    /// <summary>The smallest assembly of this repository, as compilers write them: versions, debug directory, metadata.</summary>
    private static byte[] Managed() => File.ReadAllBytes(Path.Combine(AppContext.BaseDirectory, "Azure.Core.dll"));
}
