using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.CommandLine;

/// <summary>A session answers as separate runs of the program do, whatever was asked before.</summary>
public sealed class SessionTests : IDisposable
{
    private const int Rounds = 4;
    private readonly string _directory = Directory.CreateTempSubdirectory("dump-session-").FullName;

    private static string Fixture(string name) => Path.Combine(Repository.Root, "dumps-fixtures", name);

    [Fact]
    public void Many_questions_in_any_order_get_the_answers_of_separate_runs()
    {
        string hang = Fixture("loader-exit.dmp"), other = Fixture("cs-orphan.dmp");
        string[][] questions =
        [
            [hang], [hang, "--format", "json"], [hang, "--format", "dml", "--stacks", "all"], ["lockchain", hang], ["lockchain", hang, "--thread", "0xc8"],
            ["locks", hang], ["dictloop", hang], [other, "--only", "ui"], ["lockchain", hang, "--thread", "7777"], [hang + ".absent"], ["--nonsense"],
        ];
        DumpAnalyze[] alone = [.. questions.AsParallel().AsOrdered().WithDegreeOfParallelism(2).Select(q => DumpAnalyze.Run(q))];
        using EngineSession session = new();
        const int Seed = 20260109;
        Random order = new(Seed);
        for (int round = 0; round < Rounds; round++)
        {
            foreach (int i in Enumerable.Range(0, questions.Length).OrderBy(_ => order.Next()).ToArray())
            {
                Assert.Equal(alone[i], session.Ask("", questions[i]));
            }
        }

        Assert.Equal((0, ""), session.End());
    }

    /// <summary>What is kept is of the file as it was.</summary>
    [Fact]
    public void Dump_that_has_changed_is_read_again()
    {
        string dump = Path.Combine(_directory, "dump.dmp");
        File.Copy(Fixture("cs-cycle2.dmp"), dump);
        using EngineSession session = new();
        DumpAnalyze before = session.Ask("", dump);
        Assert.Contains("DUMP1002", before.Output, StringComparison.Ordinal);
        File.Copy(Fixture("cs-orphan.dmp"), dump, overwrite: true);
        DumpAnalyze after = session.Ask("", dump);
        Assert.Equal(DumpAnalyze.Run(dump), after);
        Assert.DoesNotContain("DUMP1002", after.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void Session_has_the_symbol_path_of_each_question()
    {
        using EngineSession session = new();
        string dump = Fixture("cs-cycle2.dmp");
        DumpAnalyze without = session.Ask("", dump), with = session.Ask(_directory, dump), again = session.Ask("", dump);
        Assert.Equal(DumpAnalyze.RunWith(_directory, dump), with);
        Assert.Equal(without, again);
    }

    /// <summary>A store has a folder for each file name, and a new build of the file is a new folder in there.</summary>
    [Fact]
    public void New_build_in_a_folder_of_a_store_is_noticed()
    {
        LoadOwnershipScene scene = new();
        string dump = Path.Combine(_directory, "hang.dmp"), folder = Path.Combine(_directory, "store", "ntdll.pdb");
        File.WriteAllBytes(dump, scene.Build().ToMinidump());
        Directory.CreateDirectory(Path.Combine(folder, "0"));
        using EngineSession session = new();
        string store = Path.Combine(_directory, "store");
        Assert.DoesNotContain("\nsymbols:", session.Ask(store, dump).Output, StringComparison.Ordinal);
        string key = Path.Combine(folder, $"{scene.NtdllPdb.Guid.ToString("N").ToUpperInvariant()}{scene.NtdllPdb.Age:X}");
        Directory.CreateDirectory(key);
        File.WriteAllBytes(Path.Combine(key, "ntdll.pdb"), scene.NtdllPdb.ToArray());
        Assert.Contains("\nsymbols: ntdll.pdb\n", session.Ask(store, dump).Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(0u)]
    [InlineData(0x100001u)]
    public void Length_that_no_question_has_ends_the_session_with_one_line(uint length)
    {
        using EngineSession session = new();
        session.Send(BitConverter.GetBytes(length));
        (int exitCode, string error) = session.End();
        Assert.Equal(2, exitCode);
        Assert.Equal($"dumpanalyze: a question of {length} bytes; there may be 1 to 1048576\n", error);
    }

    [Fact]
    public void Session_inside_of_a_session_is_refused()
    {
        using EngineSession session = new();
        DumpAnalyze answer = session.Ask("", "session");
        Assert.Equal(2, answer.ExitCode);
        Assert.StartsWith("dumpanalyze: a session is started on its own", answer.Error, StringComparison.Ordinal);
    }

    public void Dispose() => Directory.Delete(_directory, recursive: true);
}
