using System.Text.RegularExpressions;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Readers.Minidump;
using Dump.Testing;

namespace Dump.EndToEnd.Tests.CommandLine;

/// <summary>A session that asks for the memory of a process, with a dump in the place of the process.</summary>
public sealed partial class SessionMemoryTests
{
    private const int MostBytes = 1 << 20;
    private const int Page = 0x1000;

    private static string Fixture(string name) => Path.Combine(Repository.Root, "dumps-fixtures", name);

    [Theory]
    [InlineData("cs-cycle2.dmp", "DUMP1002")]
    [InlineData("loader-exit-victims.dmp", "DUMP1001")]
    [InlineData("spin-owner.dmp", "DUMP2001")]
    public void Answers_are_those_of_the_dump(string name, string verdict)
    {
        string path = Fixture(name);
        using MinidumpFile dump = MinidumpFile.Open(path);
        using EngineSession session = new();
        foreach (string[] question in (string[][])[[path], ["lockchain", path], ["locks", path]])
        {
            int requests = 0;
            DumpAnalyze answer = session.Ask("", path, (address, length) =>
            {
                requests++;
                Assert.InRange(length, 1, MostBytes);
                return Answer(dump, address, length);
            }, question);
            Assert.Equal(Lasting(DumpAnalyze.Run(question)), Lasting(answer));
            Assert.True(question[0] != path || answer.Output.Contains(verdict, StringComparison.Ordinal), answer.Output);
            Assert.Contains("full memory", answer.Output, StringComparison.Ordinal);

            // The second question about the same moment finds all that the first one read.
            Assert.True(requests > 0 || question[0] != path);
        }

        Assert.Equal((0, ""), session.End());
    }

    /// <summary>A question about another dump lies between, with which what was answered before is forgotten, though not the memory.</summary>
    [Fact]
    public void Memory_is_asked_for_once_as_long_as_the_description_is_the_same()
    {
        string path = Fixture("cs-cycle2.dmp"), other = Fixture("cs-orphan.dmp");
        using MinidumpFile dump = MinidumpFile.Open(path);
        using MinidumpFile otherDump = MinidumpFile.Open(other);
        using EngineSession session = new();
        int requests = 0;
        DumpAnalyze AskAbout(string description, MinidumpFile memory) =>
            session.Ask("", description, (address, length) =>
            {
                requests++;
                return Answer(memory, address, length);
            }, description);
        DumpAnalyze first = AskAbout(path, dump);
        int requestsOfOne = requests;
        Assert.Equal(DumpAnalyze.Run(other), session.Ask("", other));
        Assert.Equal(first, AskAbout(path, dump));
        Assert.Equal(requestsOfOne, requests);
        Assert.Contains("DUMP1003", AskAbout(other, otherDump).Output, StringComparison.Ordinal);
        Assert.True(requests > requestsOfOne);
        int requestsOfBoth = requests;
        Assert.Equal(first, AskAbout(path, dump));
        Assert.Equal(requestsOfBoth + requestsOfOne, requests);
    }

    /// <summary>The same file without a word about a process stands for itself.</summary>
    [Fact]
    public void Question_about_a_dump_asks_for_no_memory()
    {
        using EngineSession session = new();
        string path = Fixture("cs-cycle2.dmp");
        Assert.Equal(DumpAnalyze.Run(path), session.Ask("", path));
        Assert.Equal(DumpAnalyze.Run(path), session.Ask("", Fixture("cs-orphan.dmp"), (_, _) => throw new InvalidOperationException(), path));
    }

    [Fact]
    public void Answer_that_is_longer_than_the_request_ends_the_question_with_one_line_and_the_session()
    {
        using EngineSession session = new();
        string path = Fixture("cs-cycle2.dmp");
        int requests = 0;
        DumpAnalyze answer = session.Ask("", path, (_, length) =>
        {
            requests++;
            return [.. BitConverter.GetBytes(length + 1)];
        }, path);
        Assert.Equal(1, requests);
        Assert.Equal(3, answer.ExitCode);
        Assert.Equal("", answer.Output);
        Assert.Matches(
            "^dumpanalyze: the memory of the process cannot be read: the debugger sent [0-9]+ bytes where [0-9]+ were asked for; give the command again, or with -full\n$",
            answer.Error);
        Assert.Equal((1, ""), session.End());
    }

    /// <summary>A debugger that knows nothing of the memory leaves what only the small dump has.</summary>
    [Fact]
    public void Process_without_readable_memory_is_undecided()
    {
        using EngineSession session = new();
        string path = Fixture("cs-cycle2.dmp");
        DumpAnalyze answer = session.Ask("", path, (_, _) => BitConverter.GetBytes(0), path);
        Assert.DoesNotContain("No hang found", answer.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("(Confirmed)", answer.Output, StringComparison.Ordinal);
        Assert.Equal((0, ""), session.End());
    }

    [Fact]
    public void Debugger_that_goes_away_ends_the_session()
    {
        using EngineSession session = new();
        string path = Fixture("cs-cycle2.dmp");
        DumpAnalyze answer = session.Ask("", path, (_, _) =>
        {
            session.CloseInput();
            return [];
        }, path);
        Assert.Contains("the debugger ended the conversation", answer.Error, StringComparison.Ordinal);
        Assert.Equal((1, ""), session.End());
    }

    /// <summary>Memory in pages, as a process has it: the dump holds parts of pages.</summary>
    private static byte[] Answer(MinidumpFile dump, ulong address, int length)
    {
        byte[] bytes = new byte[length];
        int done = 0;
        while (done < length && CopyPage(dump, address + (ulong)done, bytes.AsSpan(done, Page)))
        {
            done += Page;
        }

        return [.. BitConverter.GetBytes(done), .. bytes.AsSpan(0, done)];
    }

    private static bool CopyPage(MinidumpFile dump, ulong address, Span<byte> page)
    {
        bool hasAny = false;
        foreach (MinidumpMemoryRange range in dump.MemoryRanges)
        {
            ulong first = Math.Max(address, range.Address), end = Math.Min(address + Page, range.Address + (ulong)range.Bytes.Size);
            if (first < end)
            {
                hasAny = true;
                dump.Read(first, page[(int)(first - address)..(int)(end - address)]);
            }
        }

        return hasAny;
    }

    private static DumpAnalyze Lasting(DumpAnalyze answer) => answer with { Output = FirstLine().Replace(answer.Output, "") };

    [GeneratedRegex(@"\A[^\n]*\.dmp: [^\n]*\n")]
    private static partial Regex FirstLine();
}
