using System.Text.Json;
using Dump.Capture.Windows;
using Dump.Capture.Windows.Chains;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Testing;

namespace Dump.Capture.Tests.Windows;

/// <summary>
/// Recorded answers of Windows as files (<c>windows-check record</c>): every file in <c>Answers</c> is read, and what is made of it keeps to the rules of all
/// chains.
/// </summary>
public sealed class RecordedAnswersTests
{
    private static string Folder => Path.Combine(Repository.Root, "tests", "Dump.Capture.Tests", "Windows", "Answers");

    public static TheoryData<string> Files => [.. Directory.EnumerateFiles(Folder, "*.json").Select(f => Path.GetFileName(f)).Order(StringComparer.Ordinal)];

    [Theory]
    [MemberData(nameof(Files))]
    public void What_Windows_alone_says_is_suspected(string file)
    {
        RecordedAnswers answers = Read(file);
        Dictionary<uint, WaitChain> chains = Chains(answers);
        ProcessSnapshot joined = SystemWaits.Join(Snapshot(answers), chains);
        Assert.All(joined.Waits, w => Assert.Equal((Grade.Suspected, EvidenceSource.System), (w.Grade, w.Evidence[0].Source)));
        Assert.All(joined.Ownerships, o => Assert.Equal(Grade.Suspected, o.Grade));
        Assert.All(SystemWaits.Awaited(joined, chains, null), a => Assert.NotEqual((int)answers.Process, a.Id));
    }

    [Fact]
    public void Documented_answers_are_read_as_they_stand()
    {
        RecordedAnswers answers = Read("documented.json");
        Dictionary<uint, WaitChain> chains = Chains(answers);
        Assert.Equal((uint[])[16, 17, 18, 20], chains.Keys.Order());
        Assert.Equal(@"\BaseNamedObjects\shop", chains[16].Awaited!.Name);
        ProcessSnapshot joined = SystemWaits.Join(Snapshot(answers), chains);
        Assert.Equal((uint[])[16, 17, 18], joined.Waits.Select(w => w.ThreadId));
        Assert.Equal((int[])[9], SystemWaits.Awaited(joined, chains, null).Select(a => a.Id));
        Assert.Equal((0, true, false), (answers.SnapshotError, answers.Windows[0].IsHung, answers.Windows[0].IsAnswered));
    }

    [Fact]
    public void What_is_written_is_read()
    {
        RecordedAnswers answers = Read("documented.json");
        using MemoryStream written = new();
        answers.Write(written);
        written.Position = 0;
        Assert.Equal(answers.Chains!.Value.Select(c => (c.Thread, Convert.ToHexString(c.Nodes))),
            RecordedAnswers.Read(written).Chains!.Value.Select(c => (c.Thread, Convert.ToHexString(c.Nodes))));
    }

    [Theory]
    [InlineData("{}")]
    [InlineData("null")]
    [InlineData("""{"schema":"windows-answers/2","system":"x","process":1}""")]
    public void Other_forms_are_refused(string text) =>
        Assert.Throws<JsonException>(() => RecordedAnswers.Read(new MemoryStream(System.Text.Encoding.UTF8.GetBytes(text))));

    private static RecordedAnswers Read(string file)
    {
        using FileStream input = File.OpenRead(Path.Combine(Folder, file));
        return RecordedAnswers.Read(input);
    }

    private static Dictionary<uint, WaitChain> Chains(RecordedAnswers answers) => (answers.Chains ?? [])
        .Select(c => (c.Thread, Chain: c.Read())).Where(c => c.Chain is not null).ToDictionary(c => c.Thread, c => c.Chain!);

    private static ProcessSnapshot Snapshot(RecordedAnswers answers) => new()
    {
        Source = new SourceDescription("process", "living Windows process, full memory", null, null, null),
        System = new SystemDescription(ProcessorArchitecture.X64, 10, 0, 19045, null, false, "Windows 10.0.19045 x64"),
        ProcessId = answers.Process,
        Available = DataAvailability.All,
        Threads = [.. (answers.Chains ?? []).Select((c, index) => new ThreadSnapshot
        {
            Id = c.Thread, Index = index, Activity = new ThreadActivity(ThreadActivityKind.Waiting, null, []),
        })],
    };
}
