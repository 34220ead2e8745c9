using System.Globalization;
using Dump.Model.Facts;
using Dump.Readers.Symbols.Pdb;

namespace Dump.Readers.Tests.Symbols;

/// <summary>Lines of LLVM's compiler and linker, compared with what LLVM's own symbolizer says of every byte of the code.</summary>
public sealed class ClangLineTests : IDisposable
{
    private const string C = """
        #include "inline.h"
        static volatile int sink;
        __attribute__((noinline)) int inner(int x) { sink = x; return x * 3; }
        static inline __attribute__((always_inline)) int twice(int x)
        {
            sink = x + x;
            if (sink > 4)
                sink = 9;
            return inner(sink);
        }
        __declspec(dllexport) int calls(int x)
        {
            int a = twice(sink);
            int b = from_header(a);
            for (int i = 0; i < b; i++)
            {
                sink += twice(i);
            }
            return b
                + inner(x)
                + inner(x + 1);
        }
        #line 500 "generated.y"
        __declspec(dllexport) int generated(int x)
        {
            return inner(x) + 2;
        }
        __declspec(dllexport) int begins_inside(int x)
        {
            return twice_in_header(x);
        }
        int _DllMainCRTStartup(void *module, unsigned reason, void *reserved) { return 1; }
        """;

    private const string Header = """
        int inner(int x);
        static inline __attribute__((always_inline)) int from_header(int x)
        {

            return inner(x) + inner(x + 7);
        }
        static volatile int here;
        static inline __attribute__((always_inline)) int twice_in_header(int x)
        {
            here = x;
            return here + 1;
        }
        """;

    private const string LinkArguments = "/debug /dll /nodefaultlib /entry:_DllMainCRTStartup /out:a.dll /pdb:a.pdb a.o";
    private readonly TemporaryDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [SkippableTheory]
    [InlineData("x86_64-pc-windows-msvc", "-O0")]
    [InlineData("x86_64-pc-windows-msvc", "-O1")]
    [InlineData("x86_64-pc-windows-msvc", "-O2")]
    [InlineData("aarch64-pc-windows-msvc", "-O1")]
    public void Lines_of_every_byte_are_those_of_LLVM(string target, string optimisation)
    {
        using LibraryOnDisk library = Build($"--target={target} {optimisation} -gcolumn-info");
        using PdbFile pdb = PdbFile.Open(Path.Combine(_directory.Path, "a.pdb"), library.Image.Pdb!, out _)!;
        uint[] addresses = [.. Enumerable.Range(0x1000, 0x1000).Select(a => (uint)a).Where(a => pdb.Functions.Covering(a) is not null)];
        string[] expected = Symbolize(addresses);
        Assert.Equal(expected, addresses.Select(a => Text(pdb.Lines.At(a))));
        Assert.True(expected.Distinct().Count() >= 10, string.Join('\n', expected.Distinct()));
        Assert.Contains(expected, e => e.StartsWith("generated.y:50", StringComparison.Ordinal));
        Assert.Null(pdb.Lines.At(0x3000));
    }

    [SkippableFact]
    public void Function_that_begins_with_code_of_another_has_its_first_line_marked()
    {
        using LibraryOnDisk library = Build("--target=x86_64-pc-windows-msvc -O2");
        using PdbFile pdb = PdbFile.Open(Path.Combine(_directory.Path, "a.pdb"), library.Image.Pdb!, out _)!;
        uint start = library.Image.FindExport("begins_inside") is { IsForwarder: false } export ? export.Rva : 0;
        SourceLocation line = pdb.Lines.At(start)!;
        Assert.Equal("generated.y:~506", line.Text);
    }

    private static string Text(SourceLocation? source) => source is null ? "??:0" : $"{source.FileName}:{source.Line}";

    private string[] Symbolize(uint[] addresses)
    {
        string all = string.Join(' ', addresses.Select(a => $"0x{0x1_8000_0000 + a:x}"));
        string printed = ExternalTool.Run(_directory.Path, "llvm-symbolizer", $"--obj=a.dll --no-inlines {all}");
        return [.. printed.Split("\n\n", StringSplitOptions.RemoveEmptyEntries).Select(p => p.Split('\n')[1]).Select(FileAndLine)];
    }

    // FILE:LINE:COLUMN, where the linker's files have no columns.
    private static string FileAndLine(string place)
    {
        string line = place[..place.LastIndexOf(':')];
        return line[(line.LastIndexOfAny(['/', '\\']) + 1)..].ToString(CultureInfo.InvariantCulture);
    }

    private LibraryOnDisk Build(string arguments)
    {
        ExternalTool.Require("clang", "lld-link", "llvm-symbolizer");
        File.WriteAllText(Path.Combine(_directory.Path, "a.c"), C);
        File.WriteAllText(Path.Combine(_directory.Path, "inline.h"), Header);
        ExternalTool.Run(_directory.Path, "clang", $"{arguments} -g -gcodeview -fno-exceptions -c a.c -o a.o");
        ExternalTool.Run(_directory.Path, "lld-link", LinkArguments);
        return new LibraryOnDisk(_directory.Path, "a.dll");
    }
}
