using System.Buffers.Binary;
using System.Globalization;
using Dump.Model.Process;
using Dump.Readers.Symbols;

namespace Dump.Readers.Tests.Symbols;

/// <summary>Names in the symbol table that GCC's linker leaves in an image, compared with what <c>nm</c> prints of it.</summary>
public sealed class MinGwSymbolTests : IDisposable
{
    private const string Compiler = "x86_64-w64-mingw32-g++";
    private const string NameLister = "x86_64-w64-mingw32-nm";
    private const string Remover = "x86_64-w64-mingw32-strip";
    private const string Source = """
        int shared_value = 7;
        static volatile int sink;
        namespace shop {
        struct Orders { int take(int count); int a_name_that_is_longer_than_its_place(int count); };
        __attribute__((noinline)) int Orders::take(int count) { sink = count; return count * 3 + shared_value; }
        __attribute__((noinline)) int Orders::a_name_that_is_longer_than_its_place(int count) { return take(count) + 1; }
        }
        extern "C" __attribute__((noinline)) int inner(int x) { sink = x; shop::Orders o; return o.take(x) + o.a_name_that_is_longer_than_its_place(x); }
        static __attribute__((noinline)) int local(int x) { sink = x; return x + sink; }
        extern "C" __declspec(dllexport) int outer(int x) { return inner(x) + local(x + 1); }
        """;

    private readonly TemporaryDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [SkippableFact]
    public void Functions_are_named_where_unwind_information_says_they_begin()
    {
        (string Name, ulong Offset, char Kind)[] listed = Build();
        using LibraryOnDisk library = new(_directory.Path, "a.dll");
        string[] expected = ["inner", "local", "outer", "shop::Orders::a_name_that_is_longer_than_its_place", "shop::Orders::take"];
        string[] mangled = ["inner", "_ZL5locali", "outer", "_ZN4shop6Orders36a_name_that_is_longer_than_its_placeEi", "_ZN4shop6Orders4takeEi"];
        (string Name, ulong Offset, char Kind)[] functions = [.. listed.Where(s => s.Kind is 'T' or 't' && mangled.Contains(s.Name))];
        Assert.Equal(expected.Length, functions.Length);
        List<string> names = [];
        foreach (ulong start in functions.Select(f => LibraryOnDisk.Base + f.Offset))
        {
            FunctionName name = library.Symbols.NameOf(start + 4, start)!.Value;
            Assert.Equal(start, name.Start);
            Assert.Equal(name.Name == "outer" ? SymbolSource.Export : SymbolSource.SymbolTable, name.Source);
            names.Add(name.Name);

            // It is not said where they end.
            Assert.Null(library.Symbols.NameOf(start + 4, null));
            Assert.Null(library.Symbols.NameOf(start + 4, start + 1));
        }

        Assert.Equal(expected, names.Order(StringComparer.Ordinal));
        Assert.Null(library.Symbols.NameOf(LibraryOnDisk.Base + listed.Single(s => s.Name == "shared_value").Offset, null));
    }

    [SkippableFact]
    public void Image_without_the_table_has_exports_only()
    {
        (string Name, ulong Offset, char Kind)[] listed = Build();
        ExternalTool.Run(_directory.Path, Remover, "a.dll");
        using LibraryOnDisk library = new(_directory.Path, "a.dll");
        Assert.Null(Name(library, listed, "inner"));
        Assert.Equal("outer", Name(library, listed, "outer"));
    }

    /// <summary>Whatever stands in the table, a name is one of those that are there, or none.</summary>
    [SkippableFact]
    public void Damaged_table_gives_no_wrong_name()
    {
        (string Name, ulong Offset, char Kind)[] listed = Build();
        string path = Path.Combine(_directory.Path, "a.dll");
        byte[] image = File.ReadAllBytes(path);
        int header = BinaryPrimitives.ReadInt32LittleEndian(image.AsSpan(0x3C)) + 4;
        int table = BinaryPrimitives.ReadInt32LittleEndian(image.AsSpan(header + 8)), count = BinaryPrimitives.ReadInt32LittleEndian(image.AsSpan(header + 12));
        Assert.True(count > 5);
        foreach ((int place, uint value) in ((int, uint)[])
            [(header + 8, 0), (header + 8, uint.MaxValue), (header + 8, (uint)image.Length), (header + 12, 0), (header + 8, (uint)table + 1)])
        {
            byte[] changed = [.. image];
            BinaryPrimitives.WriteUInt32LittleEndian(changed.AsSpan(place), value);
            AssertNoWrongName(changed, listed, isNone: true);
        }

        byte[] more = [.. image];
        BinaryPrimitives.WriteUInt32LittleEndian(more.AsSpan(header + 12), uint.MaxValue);
        AssertNoWrongName(more, listed, isNone: false);
        for (int place = table; place < table + count * 18; place += 13)
        {
            byte[] changed = [.. image];
            changed[place] ^= 0xA5;
            File.WriteAllBytes(path, changed);
            using LibraryOnDisk library = new(_directory.Path, "a.dll");
            Assert.Equal("outer", Name(library, listed, "outer"));
            _ = Name(library, listed, "inner");
        }
    }

    private void AssertNoWrongName(byte[] image, (string Name, ulong Offset, char Kind)[] listed, bool isNone)
    {
        File.WriteAllBytes(Path.Combine(_directory.Path, "a.dll"), image);
        using LibraryOnDisk library = new(_directory.Path, "a.dll");
        string? name = Name(library, listed, "inner");
        Assert.True(name is null || !isNone && name == "inner", name);
        Assert.Equal("outer", Name(library, listed, "outer"));
    }

    private static string? Name(LibraryOnDisk library, (string Name, ulong Offset, char Kind)[] listed, string function)
    {
        ulong start = LibraryOnDisk.Base + listed.Single(s => s.Name == function).Offset;
        return library.Symbols.NameOf(start + 4, start)?.Name;
    }

    private (string Name, ulong Offset, char Kind)[] Build()
    {
        ExternalTool.Require(Compiler, NameLister, Remover);
        File.WriteAllText(Path.Combine(_directory.Path, "a.cpp"), Source);
        ExternalTool.Run(_directory.Path, Compiler, "-shared -O1 -nostdlib -Wl,--entry=outer -o a.dll a.cpp");
        using LibraryOnDisk library = new(_directory.Path, "a.dll");
        return
        [
            .. ExternalTool.Run(_directory.Path, NameLister, "a.dll").Split('\n').Select(l => l.Trim().Split(' ')).Where(p => p.Length == 3)
                .Select(p => (p[2], ulong.Parse(p[0], NumberStyles.HexNumber, CultureInfo.InvariantCulture) - library.PreferredBase, p[1][0])),
        ];
    }
}
