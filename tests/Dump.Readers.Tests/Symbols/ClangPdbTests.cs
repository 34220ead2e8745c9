using System.Globalization;
using System.Text.RegularExpressions;
using Dump.Model.Process;
using Dump.Readers.Pe;
using Dump.Readers.Symbols;
using Dump.Readers.Symbols.Pdb;

namespace Dump.Readers.Tests.Symbols;

/// <summary>A PDB of LLVM's linker with records of LLVM's compiler, compared with what LLVM's own reader prints of it.</summary>
/// <remarks>The lab does not install these programs: with their libraries they take some 300 MB. <see cref="MinGwPdbTests"/> uses what the lab has.</remarks>
public sealed partial class ClangPdbTests : IDisposable
{
    private const string C = """
        int shared_value = 7;
        static volatile int sink;
        __attribute__((noinline)) int inner(int x) { sink = x; return x * 3 + shared_value; }
        static __attribute__((noinline)) int hidden(int x) { sink = x + 1; return inner(x) * 5; }
        __declspec(dllexport) int outer(int x) { return inner(x) + inner(x + 1) + hidden(x); }
        int _DllMainCRTStartup(void *module, unsigned reason, void *reserved) { return 1; }
        """;

    private const string Cpp = """
        extern "C" int inner(int);
        namespace power { struct Engine { int run(int x); static int value; }; }
        int power::Engine::value = 3;
        __attribute__((noinline)) int power::Engine::run(int x) { return inner(x) + value; }
        extern "C" __declspec(dllexport) int engine(int x) { power::Engine e; return e.run(x) + 1; }
        """;

    private const string LinkArguments = "/debug /dll /nodefaultlib /entry:_DllMainCRTStartup /out:a.dll /pdb:a.pdb a.o b.o";

    private readonly TemporaryDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [SkippableFact]
    public void Functions_are_those_that_LLVM_prints()
    {
        using LibraryOnDisk library = Build();
        string printed = Print();
        using PdbFile pdb = PdbFile.Open(Path.Combine(_directory.Path, "a.pdb"), library.Image.Pdb!, out _)!;
        List<(string Name, uint Rva, uint Length)> procedures = Procedures(printed);
        Assert.Contains(procedures, p => p.Name == "hidden");
        Assert.Contains(procedures, p => p.Name == "power::Engine::run");
        Assert.All(procedures, p => Assert.Equal(new PdbFunction(p.Rva, p.Length, p.Name, SymbolSource.Procedure), pdb.Functions.At(p.Rva, null)));
        Assert.All(procedures, p => Assert.Equal(p.Name, pdb.Functions.Covering(p.Rva + p.Length - 1)?.Name));
        List<(string Name, uint Rva, bool IsFunction)> publics = Publics(printed);
        Assert.Contains(publics, p => p.Name == "shared_value" && !p.IsFunction);
        Assert.All(publics, p => Assert.Equal(p.Rva, pdb.AddressOf(p.Name)));
        Assert.All(publics, p => Assert.Equal(p.IsFunction, pdb.Functions.At(p.Rva, null) is not null));
        Assert.Equal(procedures.Count + publics.Count(p => p.IsFunction), pdb.Functions.Count);
    }

    [SkippableFact]
    public void Functions_of_the_image_are_named_by_its_unwind_information()
    {
        using LibraryOnDisk library = Build();
        (string Name, uint Rva, uint Length) hidden = Procedures(Print()).Single(p => p.Name == "hidden");
        Assert.Equal(hidden.Rva, library.Image.FindFunction(hidden.Rva + 5)?.Begin);
        ulong start = LibraryOnDisk.Base + hidden.Rva;
        Assert.Equal(new FunctionName("hidden", start, SymbolSource.Procedure), library.Symbols.NameOf(start + 5, start));
        Assert.Equal(["a.pdb"], library.Symbols.PdbFiles);
        Assert.Empty(library.Symbols.Problems);
    }

    [SkippableFact]
    public void The_same_sources_linked_again_are_another_build()
    {
        using LibraryOnDisk library = Build();
        PdbIdentity identity = library.Image.Pdb!;
        File.Move(Path.Combine(_directory.Path, "a.pdb"), Path.Combine(_directory.Path, "old.pdb"));
        ExternalTool.Run(_directory.Path, "lld-link", LinkArguments + " /base:0x190000000");
        using PdbFile? old = PdbFile.Open(Path.Combine(_directory.Path, "old.pdb"), identity, out _);
        Assert.NotNull(old);
        Assert.Null(PdbFile.Open(Path.Combine(_directory.Path, "a.pdb"), identity, out string? reason));
        Assert.Contains("another build", reason, StringComparison.Ordinal);
    }

    private LibraryOnDisk Build()
    {
        ExternalTool.Require("clang", "lld-link", "llvm-pdbutil");
        File.WriteAllText(Path.Combine(_directory.Path, "a.c"), C);
        File.WriteAllText(Path.Combine(_directory.Path, "b.cpp"), Cpp);
        foreach (string source in (string[])["a.c -o a.o", "b.cpp -o b.o"])
        {
            ExternalTool.Run(_directory.Path, "clang", $"--target=x86_64-pc-windows-msvc -g -gcodeview -O1 -fno-exceptions -c {source}");
        }

        ExternalTool.Run(_directory.Path, "lld-link", LinkArguments);
        return new LibraryOnDisk(_directory.Path, "a.dll");
    }

    private string Print() => ExternalTool.Run(_directory.Path, "llvm-pdbutil", "dump --publics --symbols --section-headers a.pdb");

    private static List<(string Name, uint Rva, uint Length)> Procedures(string printed) =>
        [.. ProcedureLines().Matches(printed).Select(m => (m.Groups[1].Value, Address(printed, m), Number(m.Groups[4])))];

    private static List<(string Name, uint Rva, bool IsFunction)> Publics(string printed) =>
        [.. PublicLines().Matches(printed).Select(m => (m.Groups[1].Value, Address(printed, m), m.Groups[4].Value == "function"))];

    private static uint Address(string printed, Match symbol)
    {
        Match section = Regex.Match(printed, $@"SECTION HEADER #{Number(symbol.Groups[2])}\s.*?([0-9A-F]+) virtual address", RegexOptions.Singleline);
        return uint.Parse(section.Groups[1].Value, NumberStyles.HexNumber, CultureInfo.InvariantCulture) + Number(symbol.Groups[3]);
    }

    private static uint Number(Group group) => uint.Parse(group.Value, CultureInfo.InvariantCulture);

    [GeneratedRegex(@"S_[GL]PROC32 \[.*?\] `(.*?)`\s+parent = .*?addr = (\d+):(\d+), code size = (\d+)")]
    private static partial Regex ProcedureLines();

    [GeneratedRegex(@"S_PUB32 \[.*?\] `(.*?)`\s+flags = (?=(?:.*?)addr = (\d+):(\d+))(\w+)")]
    private static partial Regex PublicLines();
}
