using Dump.Analysis.Detection;
using Dump.Model.Contract;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Readers;
using Dump.Readers.Minidump;
using Dump.Readers.Windows;
using Dump.Testing.Fixtures;

namespace Dump.Engine.Tests;

/// <summary>Questions about one dump, as a program that uses the engine asks them.</summary>
public sealed class DumpSessionTests : IDisposable
{
    private readonly string _place = Directory.CreateTempSubdirectory("dump-engine-").FullName;

    public static TheoryData<string> Fixtures => [.. Fixture.All.Select(f => f.Name)];

    [Theory]
    [MemberData(nameof(Fixtures))]
    public void A_dump_is_judged_in_one_line(string name)
    {
        Fixture fixture = Fixture.Named(name);
        Judgement judgement = DumpSession.Open(fixture.Path).Judge();
        bool isUndecided = fixture.ExpectedVerdict == DetectorIds.CannotAnswer;
        Assert.Equal(isUndecided ? null : fixture.ExpectedVerdict, judgement.Verdicts.FirstOrDefault()?.DetectorId);
        Assert.Equal(isUndecided, judgement.Result.IsUndecidable);
        Assert.Equal(fixture.ProcessId, judgement.Snapshot.ProcessId);
    }

    [Fact]
    public void A_detector_of_the_caller_is_asked_before_the_others()
    {
        AllThreads own = new();
        Judgement judgement = DumpSession.Open(Fixture.Named("cs-cycle2").Path).Judge(new JudgingRules { Own = [own] });
        Assert.Equal(["SHOP0001"], judgement.Verdicts.Select(v => v.DetectorId));
        Judgement alone = DumpSession.Open(Fixture.Named("cs-cycle2").Path).Judge(new JudgingRules { Only = ["SHOP0001"], Own = [own] });
        Assert.Equal(["SHOP0001"], alone.Verdicts.Select(v => v.DetectorId));
        Assert.DoesNotContain(alone.Result.Outcomes, o => o.DetectorId == "DUMP1002");
    }

    [Fact]
    public void More_might_tell_where_something_is_missing()
    {
        Judgement judgement = DumpSession.Open(Fixture.Named("loader-exit-stacks-only").Path).Judge();
        Assert.True(judgement.MoreMightTell);
        Assert.True(judgement.Result.IsUndecidable);
    }

    [Fact]
    public void What_is_no_dump_is_refused_when_it_is_read()
    {
        string text = Path.Combine(_place, "text.dmp");
        File.WriteAllText(text, "no dump");
        var session = DumpSession.Open(text);
        Assert.Throws<InvalidDumpException>(() => session.Read());
        Assert.Throws<InvalidDumpException>(session.Check);
        Assert.Throws<InvalidDumpException>(() => session.Threads());
    }

    [Fact]
    public void Threads_are_told_without_stacks()
    {
        var session = DumpSession.Open(Fixture.Named("cs-cycle2").Path);
        Assert.Equal(session.Read().Threads.Select(t => (t.Index, t.Id)), session.Threads());
    }

    [Fact]
    public void A_second_question_is_answered_from_what_was_kept()
    {
        ReadingSettings settings = new() { Kept = new KeptSnapshots() };
        string dump = Fixture.Named("cs-cycle2").Path;
        ProcessSnapshot first = DumpSession.Open(dump, settings).Read();
        Assert.Same(first, DumpSession.Open(dump, settings).Read());
        Assert.Same(first.Modules[0], DumpSession.Open(dump, settings).Read(new ManagedQuestions { AsyncTasks = true }).Modules[0]);
        Assert.NotSame(first, DumpSession.Open(dump).Read());
    }

    [Fact]
    public void A_changed_dump_and_new_files_are_read_anew()
    {
        string dump = Path.Combine(_place, "hang.dmp"), symbols = Path.Combine(_place, "symbols");
        Directory.CreateDirectory(symbols);
        File.Copy(Fixture.Named("cs-cycle2").Path, dump);
        ReadingSettings settings = new() { Kept = new KeptSnapshots(), Files = new WindowsReadOptions { SymbolPath = symbols } };
        ProcessSnapshot first = DumpSession.Open(dump, settings).Read();
        Directory.CreateDirectory(Path.Combine(symbols, "hang.pdb"));
        Directory.SetLastWriteTimeUtc(symbols, DateTime.UtcNow.AddHours(1));
        ProcessSnapshot withFiles = DumpSession.Open(dump, settings).Read();
        Assert.NotSame(first, withFiles);
        File.Copy(Fixture.Named("cs-cycle3").Path, dump, overwrite: true);
        File.SetLastWriteTimeUtc(dump, DateTime.UtcNow.AddHours(1));
        ProcessSnapshot other = DumpSession.Open(dump, settings).Read();
        Assert.NotEqual(withFiles.ProcessId, other.ProcessId);
    }

    [Fact]
    public void A_process_in_a_debugger_is_judged_as_its_dump()
    {
        Debugger debugger = new(Fixture.Named("cs-cycle2").Path);
        StandingProcess process = new("process 1 at its first stop");
        ReadingSettings settings = new() { Kept = new KeptSnapshots() };
        Judgement judgement = DumpSession.Open(process, debugger, settings).Judge();
        Assert.Equal("DUMP1002", judgement.Verdicts[0].DetectorId);
        Assert.Equal("process 1 at its first stop", judgement.Snapshot.Source.DisplayName);

        Assert.Equal(judgement.Snapshot.Threads.Select(t => (t.Index, t.Id)), DumpSession.Open(process, debugger).Threads());

        // A later question about the same moment asks for nothing that is known.
        int asked = debugger.Asked;
        Assert.Same(judgement.Snapshot, DumpSession.Open(process, debugger, settings).Read(ManagedQuestions.OfVerdict));
        Assert.Equal(asked, debugger.Asked);
    }

    [Fact]
    public void A_debugger_that_fails_leaves_no_half_of_an_answer()
    {
        Debugger debugger = new(Fixture.Named("cs-cycle2").Path) { Fails = true };
        Assert.Throws<InvalidDumpException>(() => DumpSession.Open(new StandingProcess("process 1"), debugger).Judge());
    }

    [Fact]
    public void Dumps_of_two_processes_are_no_series()
    {
        DumpSession[] dumps = [DumpSession.Open(Fixture.Named("cs-cycle2").Path), DumpSession.Open(Fixture.Named("cs-cycle3").Path)];
        Assert.Null(DumpSeries.Read(dumps, null, out string? difference));
        Assert.NotNull(difference);
    }

    [Fact]
    public void Two_looks_at_one_process_are_judged_together()
    {
        string fixture = Fixture.Named("timed-wait").Path, later = Path.Combine(_place, "later.dmp");
        byte[] bytes = File.ReadAllBytes(fixture);

        // MINIDUMP_HEADER.TimeDateStamp (minidumpapiset.h): ten seconds later.
        const int TimeStamp = 20;
        BitConverter.TryWriteBytes(bytes.AsSpan(TimeStamp), BitConverter.ToUInt32(bytes, TimeStamp) + 10);
        File.WriteAllBytes(later, bytes);
        var series = DumpSeries.Read([DumpSession.Open(later), DumpSession.Open(fixture)], ManagedQuestions.OfVerdict, out string? difference);
        Assert.Null(difference);
        Assert.Equal(["timed-wait.dmp", "later.dmp"], series!.Looks.Snapshots.Select(s => s.Source.DisplayName));
        Assert.Equal("later.dmp", series.Judge().Snapshot.Source.DisplayName);
    }

    public void Dispose() => Directory.Delete(_place, recursive: true);

    /// <summary>Finds something on every thread.</summary>
    private sealed class AllThreads : IDetector
    {
        public DetectorDescriptor Descriptor { get; } = new("SHOP0001", "All threads", "Every thread.", "threads", DetectorFamily.Lock);

        public DetectorOutcome Detect(AnalysisContext context) => DetectorOutcomes.From(Descriptor,
            [Descriptor.Verdict("Threads are threads.", Confidence.Likely, [], [.. context.Snapshot.Threads.Select(t => t.Id)])], context.Snapshot.Missing);
    }

    /// <summary>Answers from a dump.</summary>
    private sealed class Debugger(string dump) : IStandingProcessReader
    {
        private readonly byte[] _description = File.ReadAllBytes(dump);

        public bool Fails { get; init; }

        public int Asked { get; private set; }

        public byte[] ReadDescription()
        {
            Asked++;
            return _description;
        }

        public int Read(ulong address, Span<byte> destination)
        {
            // A fixture has pieces of pages, and a process whole ones.
            const int Page = 0x1000;
            Asked++;
            destination.Clear();
            using MinidumpFile file = MinidumpFile.Open(dump);
            int done = 0;
            while (done < destination.Length)
            {
                ulong at = address + (ulong)done, end = (at / Page * Page) + Page;
                MinidumpMemoryRange[] pieces = [.. file.MemoryRanges.Where(r => r.Address < end && r.Address + (ulong)r.Bytes.Size > end - Page)];
                if (pieces.Length == 0)
                {
                    break;
                }

                end = Math.Min(end, address + (ulong)destination.Length);
                foreach (MinidumpMemoryRange piece in pieces)
                {
                    ulong from = Math.Max(at, piece.Address), to = Math.Min(end, piece.Address + (ulong)piece.Bytes.Size);
                    _ = from < to ? file.Read(from, destination[(int)(from - address)..(int)(to - address)]) : 0;
                }

                done = (int)(end - address);
            }

            return done;
        }

        public void ThrowIfFailed()
        {
            if (Fails)
            {
                throw new InvalidDumpException("the debugger is gone");
            }
        }
    }
}
