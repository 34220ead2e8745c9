using System.Text;
using System.Text.RegularExpressions;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Readers.Minidump;
using Dump.Testing;

namespace Dump.EndToEnd.Tests.CommandLine;

/// <summary>A session that asks for all of a process, with a dump in the place of the process; no file has the name under which it is asked about.</summary>
public sealed partial class SessionMemoryTests
{
    private const int MostBytes = 1 << 20;
    private const int Page = 0x1000;
    private const string Process = "process-280-1";

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
        foreach (string[] question in (string[][])[[], ["lockchain"], ["locks"]])
        {
            int requests = 0;
            DumpAnalyze answer = session.Ask("", name, (kind, position, length) =>
            {
                requests++;
                Assert.InRange(length, 1, MostBytes);
                return Answer(path, dump, kind, position, length);
            }, [.. question, name]);
            Assert.Equal(Lasting(DumpAnalyze.Run([.. question, path])), Lasting(answer));
            Assert.True(question.Length > 0 || answer.Output.Contains(verdict, StringComparison.Ordinal), answer.Output);
            Assert.Contains("full memory", answer.Output, StringComparison.Ordinal);

            // The second question about the same moment finds all that the first one read.
            Assert.True(requests > 0 || question.Length > 0);
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
        DumpAnalyze AskAbout(string described, MinidumpFile memory) =>
            session.Ask("", Path.GetFileName(described), (kind, position, length) =>
            {
                requests++;
                return Answer(described, memory, kind, position, length);
            }, Path.GetFileName(described));
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
        Assert.Equal(DumpAnalyze.Run(path), session.Ask("", "cs-orphan.dmp", (_, _, _) => throw new InvalidOperationException(), path));
    }

    [Theory]
    [InlineData(EngineSession.Memory)]
    [InlineData(EngineSession.Description)]
    public void Answer_that_is_longer_than_the_request_ends_the_question_with_one_line_and_the_session(byte wrong)
    {
        using EngineSession session = new();
        string path = Fixture("cs-cycle2.dmp");
        using MinidumpFile dump = MinidumpFile.Open(path);
        int requests = 0;
        DumpAnalyze answer = session.Ask("", Process, (kind, position, length) =>
        {
            requests += kind == wrong ? 1 : 0;
            return kind == wrong ? [.. BitConverter.GetBytes(length + 1)] : Answer(path, dump, kind, position, length);
        }, Process);
        Assert.Equal(1, requests);
        Assert.Equal(3, answer.ExitCode);
        Assert.Equal("", answer.Output);
        Assert.Matches(
            "^dumpanalyze: the memory of the process cannot be read: the debugger sent [0-9]+ bytes where [0-9]+ were asked for; give the command again, or with -full\n$",
            answer.Error);
        Assert.Equal((1, ""), session.End());
    }

    /// <summary>One that never comes to an end is given up at a size that no process has.</summary>
    [Fact]
    public void Description_without_an_end_is_refused()
    {
        using EngineSession session = new();
        DumpAnalyze answer = session.Ask("", Process, (kind, _, length) =>
        {
            Assert.Equal(EngineSession.Description, kind);
            return [.. BitConverter.GetBytes(length), .. new byte[length]];
        }, Process);
        Assert.Equal(3, answer.ExitCode);
        Assert.Equal("dumpanalyze: the description of the process has more than 268435456 bytes; give the command again with -full\n", answer.Error);
        Assert.Equal((0, ""), session.End());
    }

    [Theory]
    [InlineData("")]
    [InlineData("no dump")]
    public void Description_that_is_none_is_one_line(string text)
    {
        using EngineSession session = new();
        DumpAnalyze answer = session.Ask("", Process, (kind, _, _) =>
            kind == EngineSession.Description ? [.. BitConverter.GetBytes(text.Length), .. Encoding.ASCII.GetBytes(text)] : BitConverter.GetBytes(0), Process);
        Assert.Equal((3, ""), (answer.ExitCode, answer.Output));
        Assert.Matches($"^dumpanalyze: {Process}: [^\n]+\n$", answer.Error);
        Assert.Equal((0, ""), session.End());
    }

    /// <summary>The name stands for the process only in the question that says so.</summary>
    [Fact]
    public void Name_of_a_process_is_no_file_in_the_next_question()
    {
        using EngineSession session = new();
        string path = Fixture("cs-cycle2.dmp");
        using MinidumpFile dump = MinidumpFile.Open(path);
        Assert.Contains("DUMP1002", session.Ask("", Process, (kind, position, length) => Answer(path, dump, kind, position, length), Process).Output,
            StringComparison.Ordinal);
        Assert.Contains("there is no such file", session.Ask("", Process).Error, StringComparison.Ordinal);
    }

    /// <summary>A debugger that knows nothing of the memory leaves what only the small dump has.</summary>
    [Fact]
    public void Process_without_readable_memory_is_undecided()
    {
        using EngineSession session = new();
        byte[] description = File.ReadAllBytes(Fixture("cs-cycle2.dmp"));
        DumpAnalyze answer = session.Ask("", Process, (kind, position, length) =>
            kind == EngineSession.Description ? Piece(description, position, length) : BitConverter.GetBytes(0), Process);
        Assert.DoesNotContain("No hang found", answer.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("(Confirmed)", answer.Output, StringComparison.Ordinal);
        Assert.Equal((0, ""), session.End());
    }

    [Fact]
    public void Debugger_that_goes_away_ends_the_session()
    {
        using EngineSession session = new();
        DumpAnalyze answer = session.Ask("", Process, (_, _, _) =>
        {
            session.CloseInput();
            return [];
        }, Process);
        Assert.Contains("the debugger ended the conversation", answer.Error, StringComparison.Ordinal);
        Assert.Equal((1, ""), session.End());
    }

    private static byte[] Answer(string path, MinidumpFile dump, byte kind, ulong position, int length) =>
        kind == EngineSession.Description ? Piece(File.ReadAllBytes(path), position, length) : Answer(dump, position, length);

    private static byte[] Piece(byte[] description, ulong offset, int length)
    {
        byte[] piece = [.. description.Skip((int)offset).Take(length)];
        return [.. BitConverter.GetBytes(piece.Length), .. piece];
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
