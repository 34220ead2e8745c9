using Dump.Model.Process;
using Dump.Readers.Minidump;
using Dump.Readers.Pe;
using Dump.Readers.Symbols;
using Dump.Testing.Synthetic;

namespace Dump.Readers.Tests.Symbols;

/// <summary>Which name an address gets when there are exports and a PDB.</summary>
public sealed class ModuleSymbolsWithPdbTests : IDisposable
{
    private const ulong Base = 0x7FF930000000;
    private readonly TemporaryDirectory _directory = new();
    private readonly FakePdb _pdb = new FakePdb().Section(0x1000, 0x2000, FakePdb.Code).Section(0x6000, 0x1000, FakePdb.Data);
    private readonly FakeImage _image;
    private readonly FakeFunction _exported;
    private readonly FakeFunction _hidden;
    private readonly FakeFunction _procedure;
    private readonly FakeFunction _decorated;

    public ModuleSymbolsWithPdbTests()
    {
        _image = new FakeImage(@"C:\app\engine.dll", Base) { Pdb = (@"C:\build\engine.pdb", _pdb.Guid, _pdb.Age) };
        _exported = _image.Function("Documented");
        _hidden = _image.Function("hidden", exported: false);
        _procedure = _image.Function("covered", exported: false);
        _decorated = _image.Function("?run@Engine@@QEAAHH@Z");
        _pdb.Public("AnInternalName", 1, Offset(_exported)).Public("hidden", 1, Offset(_hidden)).Public("variable", 2, 0x80, flags: 0)
            .Public("?run@Engine@@QEAAHH@Z", 1, Offset(_decorated))
            .Procedure("covered", 1, Offset(_procedure), 0x20).Procedure("Engine::run", 1, Offset(_decorated), 0x20);
    }

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void A_public_symbol_names_a_function_that_begins_there()
    {
        using ModuleSymbols symbols = WithPdb();
        Assert.Equal(new FunctionName("hidden", At(_hidden), SymbolSource.PublicSymbol), symbols.NameOf(_hidden.Address, At(_hidden)));
        Assert.Equal(new FunctionName("hidden", At(_hidden), SymbolSource.PublicSymbol), symbols.NameOf(At(_hidden), null));
        Assert.Equal(["engine.pdb"], symbols.PdbFiles);
        Assert.Empty(symbols.Problems);
    }

    /// <summary>A debugger names the file that it has opened. Where that lies and the case of its name decide nothing, its content does.</summary>
    [Theory]
    [InlineData("ENGINE.PDB", true, "hidden")]
    [InlineData("other.pdb", true, null)]
    [InlineData("engine.pdb", false, null)]
    public void A_single_file_of_the_name_is_taken_when_it_is_of_the_same_build(string name, bool isOfTheBuild, string? expected)
    {
        _directory.Write(name, (isOfTheBuild ? _pdb : new FakePdb { Guid = Guid.NewGuid() }.Section(0x1000, 0x2000, FakePdb.Code)).ToArray());
        using ModuleSymbols symbols = Symbols(SymbolSearchPath.None.With(NamedFiles.Of([Path.Combine(_directory.Path, name)])));
        Assert.Equal(expected, symbols.NameOf(_hidden.Address, At(_hidden))?.Name);
        Assert.Equal(isOfTheBuild ? 0 : 1, symbols.Problems.Count);
    }

    [Fact]
    public void A_public_symbol_does_not_name_what_is_behind_it()
    {
        using ModuleSymbols symbols = WithPdb();
        Assert.Null(symbols.NameOf(_hidden.Address, null));
        Assert.Null(symbols.NameOf(_hidden.Address, At(_hidden) + 4));
    }

    [Fact]
    public void A_procedure_names_all_that_it_covers_and_no_more()
    {
        using ModuleSymbols symbols = WithPdb();
        FunctionName expected = new("covered", At(_procedure), SymbolSource.Procedure);
        Assert.Equal(expected, symbols.NameOf(_procedure.Address, At(_procedure)));
        Assert.Equal(expected, symbols.NameOf(At(_procedure) + 0x1F, null));
        Assert.Equal(expected, symbols.NameOf(At(_procedure) + 0x1F, At(_procedure) + 0x10));
        Assert.Null(symbols.NameOf(At(_procedure) + 0x20, null));
    }

    [Fact]
    public void An_exports_name_stays_unless_it_is_decorated()
    {
        using ModuleSymbols symbols = WithPdb();
        Assert.Equal("Documented", symbols.NameOf(_exported.Address, At(_exported))?.Name);
        Assert.Equal(new FunctionName("Engine::run", At(_decorated), SymbolSource.Procedure), symbols.NameOf(_decorated.Address, At(_decorated)));
    }

    [Fact]
    public void Data_has_an_address_by_name_and_names_no_function()
    {
        using ModuleSymbols symbols = WithPdb();
        Assert.Equal(Base + 0x6080, symbols.AddressOf("engine", "variable"));
        Assert.Equal(At(_exported), symbols.AddressOf("engine", "Documented"));
        Assert.Null(symbols.AddressOf("engine", "absent"));
        Assert.Null(symbols.AddressOf("other", "variable"));
        Assert.Null(symbols.NameOf(Base + 0x6080, Base + 0x6080));
    }

    [Fact]
    public void Without_a_path_there_are_exports_only()
    {
        _directory.Write("engine.pdb", _pdb.ToArray());
        using ModuleSymbols symbols = Symbols((string?)null);
        Assert.Equal("?run@Engine@@QEAAHH@Z", symbols.NameOf(_decorated.Address, At(_decorated))?.Name);
        Assert.Null(symbols.NameOf(_hidden.Address, At(_hidden)));
        Assert.Null(symbols.AddressOf("engine", "variable"));
        Assert.Empty(symbols.Problems);
    }

    [Fact]
    public void Another_builds_pdb_is_refused_and_a_later_directory_is_used()
    {
        _directory.Write("a/engine.pdb", new FakePdb { Age = 9 }.Section(0x1000, 0x2000, FakePdb.Code).Public("wrong", 1, Offset(_hidden)).ToArray());
        _directory.Write("b/engine.pdb", _pdb.ToArray());
        using ModuleSymbols symbols = Symbols($"{_directory.Path}/a;{_directory.Path}/b");
        Assert.Equal("hidden", symbols.NameOf(_hidden.Address, At(_hidden))?.Name);
        Assert.Equal(At(_hidden), symbols.AddressOf("engine", "hidden"));
        ReaderProblem problem = Assert.Single(symbols.Problems);
        Assert.StartsWith("engine.pdb is not used: it belongs to another build", problem.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void What_is_not_found_is_said_once_with_what_was_not_asked()
    {
        using ModuleSymbols symbols = Symbols($"srv*{_directory.Path}*https://symbols.example;{_directory.Path}/absent");
        Assert.Null(symbols.NameOf(_hidden.Address, At(_hidden)));
        Assert.Null(symbols.AddressOf("engine", "variable"));
        ReaderProblem problem = Assert.Single(symbols.Problems);
        Assert.Equal(
            "the symbol path has no engine.pdb; only local directories are used, not https://symbols.example (dumpanalyze fetch FILE asks its servers); "
                + $"there is no directory {_directory.Path}/absent",
            problem.Message);
        Assert.False(problem.LosesFacts, "names are missing, and no part of the dump");
    }

    [Fact]
    public void A_path_that_nothing_asked_for_is_no_problem()
    {
        using ModuleSymbols symbols = Symbols("srv*https://symbols.example");
        Assert.Empty(symbols.Problems);
    }

    /// <summary>The path that WinDbg begins with.</summary>
    [Fact]
    public void A_path_of_the_debuggers_own_places_that_do_not_exist_is_no_problem()
    {
        using ModuleSymbols symbols = Symbols(SymbolSearchPath.Parse("srv*", null));
        Assert.Null(symbols.NameOf(_hidden.Address, At(_hidden)));
        Assert.Empty(symbols.Problems);
    }

    private ModuleSymbols WithPdb()
    {
        _directory.Write("engine.pdb", _pdb.ToArray());
        return Symbols(_directory.Path);
    }

    private ModuleSymbols Symbols(string? path) => Symbols(path is null ? null : SymbolSearchPath.Parse(path));

    private ModuleSymbols Symbols(SymbolSearchPath? path)
    {
        FakeProcess process = new() { Images = { _image }, Threads = { new FakeThread(4, [_hidden]) } };
        MinidumpFile dump = MinidumpFile.FromBytes(process.ToMinidump());
        return new ModuleSymbols(new PeImages(dump, dump), dump, path);
    }

    private static uint Offset(FakeFunction function) => (uint)function.Rva - 0x1000;

    private static ulong At(FakeFunction function) => Base + (ulong)function.Rva;
}
