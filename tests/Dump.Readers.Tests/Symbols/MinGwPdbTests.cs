using System.Globalization;
using Dump.Model.Process;
using Dump.Readers.Symbols;

namespace Dump.Readers.Tests.Symbols;

/// <summary>A PDB of the GNU linker, which the lab has: public symbols without procedures, compared with what <c>nm</c> prints of the library.</summary>
public sealed class MinGwPdbTests : IDisposable
{
    private const string Compiler = "x86_64-w64-mingw32-gcc";
    private const string NameLister = "x86_64-w64-mingw32-nm";
    private const string Source = """
        int shared_value = 7;
        static volatile int sink;
        __attribute__((noinline)) int inner(int x) { sink = x; return x * 3 + shared_value; }
        __declspec(dllexport) int outer(int x) { return inner(x) + inner(x + 1); }
        """;

    private readonly TemporaryDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [SkippableFact]
    public void Public_symbols_are_where_nm_says()
    {
        using LibraryOnDisk library = Build(out Dictionary<string, ulong> addresses);
        Assert.Equal(addresses["inner"], library.Symbols.AddressOf("a", "inner"));
        Assert.Equal(addresses["shared_value"], library.Symbols.AddressOf("a", "shared_value"));
        Assert.Empty(library.Symbols.Problems);
    }

    [SkippableFact]
    public void Functions_are_named_where_unwind_information_says_they_begin()
    {
        using LibraryOnDisk library = Build(out Dictionary<string, ulong> addresses);
        ulong inner = addresses["inner"];
        Assert.Equal(new FunctionName("inner", inner, SymbolSource.PublicSymbol), library.Symbols.NameOf(inner + 4, inner));
        Assert.Equal(new FunctionName("outer", addresses["outer"], SymbolSource.PublicSymbol),
            library.Symbols.NameOf(addresses["outer"] + 4, addresses["outer"]));
        Assert.Null(library.Symbols.NameOf(inner + 4, null));
    }

    private LibraryOnDisk Build(out Dictionary<string, ulong> addresses)
    {
        ExternalTool.Require(Compiler, NameLister);
        File.WriteAllText(Path.Combine(_directory.Path, "a.c"), Source);
        ExternalTool.Run(_directory.Path, Compiler, "-shared -O1 -nostdlib -Wl,--entry=outer -Wl,--pdb=a.pdb -o a.dll a.c");
        LibraryOnDisk library = new(_directory.Path, "a.dll");
        addresses = ExternalTool.Run(_directory.Path, NameLister, "a.dll").Split('\n')
            .Select(line => line.Trim().Split(' '))
            .Where(parts => parts.Length == 3)
            .ToDictionary(parts => parts[2], parts => ulong.Parse(parts[0], NumberStyles.HexNumber, CultureInfo.InvariantCulture) - library.PreferredBase
                + LibraryOnDisk.Base);
        return library;
    }
}
