using Dump.Model.Facts;
using Dump.Readers.Symbols.Pdb;
using Dump.Testing.Synthetic;

namespace Dump.Readers.Tests.Symbols;

/// <summary>Lines of PDB files made by hand.</summary>
public sealed class PdbLineTests
{
    private const uint Hidden = 0xFEEFEE;
    private const string Path = @"C:\src\engine.cpp";

    private static FakePdb Code() => new FakePdb().Section(0x1000, 0x2000, FakePdb.Code).Section(0x4000, 0x1000, FakePdb.Data).Module("engine.obj");

    private static SourceLocation? At(FakePdb fake, uint rva)
    {
        using PdbFile? pdb = PdbFile.FromBytes(fake.ToArray(), PdbFileTests.Identity, out string? reason);
        Assert.Null(reason);
        return pdb!.Lines.At(rva);
    }

    [Theory]
    [InlineData(0x10FF, null)]
    [InlineData(0x1100, "engine.cpp:~20")] // before its first line: another function's code that the compiler put here
    [InlineData(0x1104, "engine.cpp:20")]
    [InlineData(0x110F, "engine.cpp:20")]
    [InlineData(0x1110, "engine.cpp:18")]
    [InlineData(0x1120, null)] // code without a line
    [InlineData(0x1130, "engine.cpp:25")]
    [InlineData(0x113F, "engine.cpp:25")]
    [InlineData(0x1140, null)]
    [InlineData(0x1200, "other.h:7")]
    public void Line_is_the_one_that_begins_last_before_the_address(uint rva, string? expected)
    {
        FakePdb pdb = Code()
            .Lines(1, 0x200, 0x10, @"C:\src\other.h", (0, 7, 0))
            .Lines(1, 0x100, 0x40, Path, (4, 20, 0), (0x10, 18, 0), (0x20, Hidden, 0), (0x30, 25, 0));
        Assert.Equal(expected, At(pdb, rva)?.Text);
    }

    [Fact]
    public void Path_and_column_are_those_of_the_file()
    {
        FakePdb pdb = Code().Lines(1, 0x100, 0x40, Path, (0, 20, 5), (8, 21, 9));
        Assert.Equal(new SourceLocation(Path, 21) { Column = 9 }, At(pdb, 0x1108));
        Assert.Equal(new SourceLocation(Path, 20), At(Code().Lines(1, 0x100, 0x40, Path, (0, 20, 0)), 0x1108));
    }

    [Fact]
    public void Object_files_have_lists_of_source_files_of_their_own()
    {
        FakePdb pdb = Code().Lines(1, 0x100, 0x10, "a.c", (0, 1, 0)).Module("b.obj").Lines(1, 0x200, 0x10, "b.c", (0, 2, 0));
        Assert.Equal("a.c:1", At(pdb, 0x1100)?.Text);
        Assert.Equal("b.c:2", At(pdb, 0x1200)?.Text);
    }

    /// <summary>The linker kept the code of one of them; which was called is not known.</summary>
    [Fact]
    public void Equal_code_of_two_functions_has_no_line_unless_they_agree()
    {
        Assert.Null(At(Code().Lines(1, 0x100, 0x10, "a.c", (0, 1, 0)).Lines(1, 0x100, 0x10, "b.c", (0, 2, 0)), 0x1104));
        Assert.Equal("a.c:1", At(Code().Lines(1, 0x100, 0x10, "a.c", (0, 1, 0)).Module("b.obj").Lines(1, 0x100, 0x10, "a.c", (0, 1, 0)), 0x1104)?.Text);
    }

    [Fact]
    public void Data_and_places_outside_of_sections_have_no_line()
    {
        FakePdb pdb = Code().Lines(2, 0x100, 0x10, "a.c", (0, 1, 0)).Lines(1, 0x2000, 0x10, "a.c", (0, 1, 0)).Lines(9, 0, 0x10, "a.c", (0, 1, 0));
        Assert.Null(At(pdb, 0x4104));
        Assert.Null(At(pdb, 0x3004));
    }

    [Fact]
    public void Unknown_subsections_are_passed_over()
    {
        FakePdb pdb = Code().OtherLines(0x8000_00F2, 1, 2, 3).OtherLines(0xF6, 1, 2, 3, 4, 5).Lines(1, 0x100, 0x10, "a.c", (0, 1, 0));
        Assert.Equal("a.c:1", At(pdb, 0x1104)?.Text);
    }

    /// <summary>Functions keep their names whatever is wrong with the lines.</summary>
    [Theory]
    [InlineData(0xF2u, new byte[] { 0, 1, 0, 0, 1, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 12, 0, 0, 0 })] // more lines than bytes
    [InlineData(0xF2u, new byte[] { 0, 1, 0, 0, 1, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 })] // a block of no size
    [InlineData(0xF2u, new byte[] { 0, 1, 0, 0, 1, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0 })] // a block cut short
    [InlineData(0xF2u, new byte[] { 0, 1, 0, 0 })] // a head cut short
    [InlineData(0xF2u, new byte[] { 0, 1, 0, 0, 1, 0, 0, 0, 16, 0, 0, 0, 99, 0, 0, 0, 1, 0, 0, 0, 20, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0 })] // no such file
    public void Damaged_lines_are_none(uint kind, byte[] content)
    {
        FakePdb fake = Code().Procedure("run", 1, 0x100, 0x10).OtherLines(kind, content);
        using PdbFile pdb = PdbFile.FromBytes(fake.ToArray(), PdbFileTests.Identity, out _)!;
        Assert.Null(pdb.Lines.At(0x1104));
        Assert.Equal("run", pdb.Functions.Covering(0x1104)?.Name);
    }
}
