using System.Text.Json;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Readers.Minidump;
using Dump.Readers.Windows;
using Dump.Testing;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.Verdicts;

/// <summary>Symbols from the command line to the verdict, on a Windows 10 process and a PDB made by hand.</summary>
public sealed class SymbolTests : IDisposable
{
    private readonly string _directory = Directory.CreateTempSubdirectory("dump-symbols-").FullName;
    private readonly LoadOwnershipScene _scene = new();
    private readonly string _dump;

    public SymbolTests()
    {
        _dump = Path.Combine(_directory, "hang.dmp");
        File.WriteAllBytes(_dump, _scene.Build().ToMinidump());
        File.WriteAllBytes(Path.Combine(_directory, "ntdll.pdb"), _scene.NtdllPdb.ToArray());
    }

    public void Dispose() => Directory.Delete(_directory, recursive: true);

    [Fact]
    public void Symbols_of_ntdll_prove_the_wait_for_load_ownership()
    {
        Assert.Equal(Grade.Derived, Wait(null).Grade);
        WaitFact wait = Wait(_directory);
        Assert.Equal(Grade.Proven, wait.Grade);
        Assert.Contains(wait.Evidence, e => e is { Source: EvidenceSource.Memory, Value: 0x44 });
    }

    [Fact]
    public void Verdict_is_the_same_and_frames_have_names()
    {
        JsonElement without = Json([_dump], null);
        JsonElement with = Json([_dump, "--symbols", _directory, "--stacks", "all"], null);
        Assert.Equal("DUMP1001", without.Member("verdicts")[0].Member("id").GetString());
        Assert.Equal("DUMP1001", with.Member("verdicts")[0].Member("id").GetString());
        Assert.Equal("ntdll.pdb", Assert.Single(with.Member("source").Member("symbols").EnumerateArray()).GetString());
        JsonElement frame = with.Member("threads")[1].Member("frames")[1];
        Assert.Equal(("LdrpDrainWorkQueue", "PublicSymbol"), (frame.Member("function").GetString(), frame.Member("symbol").GetString()));
        Assert.False(without.Member("source").TryGetProperty("symbols", out _));
    }

    [Theory]
    [InlineData("threads")]
    [InlineData("lockchain")]
    public void Other_commands_take_symbols_too(string command)
    {
        DumpAnalyze run = DumpAnalyze.Run(command, _dump, "--symbols", _directory);
        Assert.Equal(0, run.ExitCode);
        Assert.Contains("LdrpDrainWorkQueue", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void Environment_is_the_default_and_the_option_replaces_it()
    {
        Assert.True(Json([_dump], _directory).Member("source").TryGetProperty("symbols", out _));
        string empty = Directory.CreateDirectory(Path.Combine(_directory, "empty")).FullName;
        JsonElement replaced = Json([_dump, "--symbols", $"{empty};srv*https://symbols.invalid"], _directory);
        Assert.False(replaced.Member("source").TryGetProperty("symbols", out _));
        JsonElement problem = Assert.Single(replaced.Member("problems").EnumerateArray());
        Assert.Contains("ntdll.pdb; only local directories are used, not https://symbols.invalid", problem.Member("message").GetString(),
            StringComparison.Ordinal);
    }

    [Fact]
    public void Text_says_which_files_were_used_and_which_were_refused()
    {
        Assert.Contains("\nsymbols: ntdll.pdb\n", DumpAnalyze.Run(_dump, "--symbols", _directory).Output, StringComparison.Ordinal);
        File.WriteAllBytes(Path.Combine(_directory, "ntdll.pdb"), new FakePdb { Age = 99 }.ToArray());
        DumpAnalyze refused = DumpAnalyze.Run(_dump, "--symbols", _directory);
        Assert.Equal(11, refused.ExitCode);
        Assert.Contains("ntdll.pdb is not used: it belongs to another build", refused.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("\nsymbols:", refused.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void Help_teaches_the_option() => Assert.Contains("_NT_SYMBOL_PATH", DumpAnalyze.Run("--help").Output, StringComparison.Ordinal);

    private static JsonElement Json(string[] arguments, string? symbolPath) =>
        JsonDocument.Parse(DumpAnalyze.RunWith(symbolPath, [.. arguments, "--format", "json"]).Output).RootElement;

    private WaitFact Wait(string? symbolPath)
    {
        using MinidumpFile dump = MinidumpFile.Open(_dump);
        ProcessSnapshot snapshot = WindowsSnapshotReader.Read(dump, "synthetic", new WindowsReadOptions { SymbolPath = symbolPath });
        Assert.Empty(snapshot.Problems);
        return snapshot.Waits.Single(w => w.Resource.Kind == ResourceKind.LoadOwnership);
    }
}
