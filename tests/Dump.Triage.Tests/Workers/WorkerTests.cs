using System.Runtime.Versioning;
using Dump.Model.Merging;
using Dump.Triage.Children;
using Dump.Triage.Records;

namespace Dump.Triage.Tests.Workers;

/// <summary>A worker ends with the dump that it fails at, costs that one at most, and is replaced in time; the analysis is a script.</summary>
[SupportedOSPlatform("linux")]
public sealed class WorkerTests : IDisposable
{
    private const string LinuxOnly = "the stand-in for the analysis is a shell script";
    private const string FirstLibrary = "aaaa", SecondLibrary = "bbbb";
    private readonly TriageFolder _folder = new();

    [SkippableFact]
    public void Worker_takes_one_dump_after_the_other()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        Pretend(5);
        TriageRecords records = Run("answer '' 0", "exit 9");
        Assert.All(records.Records, r => Assert.Equal(TriageOutcome.Analysed, r.Outcome));
        Assert.Equal(5, records.Records.Length);
        Assert.Equal(1, Started("worker"));
        Assert.Equal(0, Started("own"));
    }

    [SkippableTheory]
    [InlineData(200, 1)]
    [InlineData(201, 2)]
    public void Worker_is_replaced_after_200_dumps(int dumps, int workers)
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        Pretend(dumps);
        Run("answer '' 0", "exit 9");
        Assert.Equal(workers, Started("worker"));
    }

    [SkippableTheory]
    [InlineData(50, 1)]
    [InlineData(51, 2)]
    public void Worker_with_a_library_is_replaced_after_50_dumps(int dumps, int workers)
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        Pretend(dumps);
        Run($"library 4 {FirstLibrary}; answer '' 0", "exit 9");
        Assert.Equal(workers, Started("worker"));
    }

    [SkippableFact]
    public void Worker_whose_library_failed_takes_no_further_dump()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        Pretend(3);
        Assert.All(Run($"library 6 {FirstLibrary}; answer '' 0", "exit 9").Records, r => Assert.Equal(TriageOutcome.Analysed, r.Outcome));
        Assert.Equal(3, Started("worker"));
    }

    /// <summary>It may have failed because of the dump before.</summary>
    [SkippableFact]
    public void Dump_at_which_a_used_library_fails_is_analysed_by_a_process_of_its_own()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        Pretend(3);
        Run($"[ $number = 2 ] && library 6 {FirstLibrary} || library 4 {FirstLibrary}; answer '' 0", Nothing);
        Assert.Equal((2, 1), (Started("worker"), Started("own")));
    }

    [SkippableFact]
    public void Worker_that_keeps_memory_is_replaced()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        Pretend(3);
        TriageRecords records = Run(
            "[ -n \"$kept\" ] || { head -c 300000000 /dev/zero | tail -c 250000000 | sleep 600 & kept=$!; until [ $(sum) -gt 200000 ]; do sleep 0.1; done; }; "
                + "answer '' 0", "exit 9", o => o with { Memory = 640L << 20, Timeout = TimeSpan.FromMinutes(9) });
        Assert.All(records.Records, r => Assert.Equal(TriageOutcome.Analysed, r.Outcome));
        Assert.Equal((3, 0), (Started("worker"), Started("own")));
    }

    [SkippableTheory]
    [InlineData("kill -SEGV $$")]
    [InlineData("kill -KILL $$")]
    [InlineData("exit 1")]
    [InlineData("answer 'dumpanalyze: internal error, please report it: X: y' 1")]
    [InlineData("printf 'no answer at all'")]
    public void What_a_worker_fails_at_after_another_dump_is_analysed_by_a_process_of_its_own(string fault)
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        Pretend(3);
        TriageRecords records = Run($"[ $number = 2 ] && {{ {fault}; }} || answer '' 0", Nothing);
        Assert.All(records.Records, r => Assert.Equal(TriageOutcome.Analysed, r.Outcome));
        Assert.Equal((2, 1), (Started("worker"), Started("own")));
    }

    [SkippableTheory]
    [InlineData("sleep 600", TriageOutcome.TimedOut)]
    [InlineData("head -c 700000000 /dev/zero | tail -c 600000000 | sleep 600", TriageOutcome.OutOfMemory)]
    public void Limit_of_a_first_dump_is_its_record(string fault, TriageOutcome outcome)
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        Pretend(1);
        TimeSpan time = outcome == TriageOutcome.TimedOut ? TimeSpan.FromSeconds(15) : TimeSpan.FromMinutes(9);
        Assert.Equal(outcome, Assert.Single(Run(fault, "exit 9", o => o with { Timeout = time, Memory = 256L << 20 }).Records).Outcome);
        Assert.Equal(0, Started("own"));
    }

    [SkippableFact]
    public void Time_of_earlier_dumps_does_not_count()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        Pretend(32);

        // All together take longer than the limit of one, each a thirtieth of it.
        TriageRecords records = Run("sleep 1; answer '' 0", "exit 9", o => o with { Timeout = TimeSpan.FromSeconds(30) });
        Assert.Equal(32, records.Records.Length);
        Assert.All(records.Records, r => Assert.Equal(TriageOutcome.Analysed, r.Outcome));
        Assert.Equal((1, 0), (Started("worker"), Started("own")));
    }

    /// <summary>
    /// The first one's word counts; what a worker says that has had others is confirmed by a process of its own, and then believed for 64 dumps.
    /// </summary>
    [SkippableFact]
    public void Dump_that_cannot_be_read_is_an_answer()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        Pretend(100);
        TriageRecords records = Run("answer 'dumpanalyze: x.dmp: cut off' 3", "echo 'dumpanalyze: x.dmp: cut off' >&2; exit 3");
        Assert.All(records.Records, r => Assert.Equal((TriageOutcome.Unreadable, "x.dmp: cut off"), (r.Outcome, r.Reason)));
        Assert.Equal((1, 2), (Started("worker"), Started("own")));
    }

    /// <summary>It has run out of something that the dump is not to blame for, and may do so again.</summary>
    [SkippableFact]
    public void Worker_that_wrongly_calls_a_dump_unreadable_is_replaced()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        Pretend(3);
        TriageRecords records = Run("[ $number = 2 ] && answer 'dumpanalyze: x.dmp: too many open files' 3 || answer '' 0", Nothing);
        Assert.All(records.Records, r => Assert.Equal(TriageOutcome.Analysed, r.Outcome));
        Assert.Equal((2, 1), (Started("worker"), Started("own")));
    }

    [SkippableFact]
    public void Dump_of_another_library_goes_to_another_worker()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        Pretend(6);
        TriageRecords records = Run(
            $"wanted={FirstLibrary}; case $path in *[135].dmp) wanted={SecondLibrary};; esac; own=${{own:-$wanted}}; "
                + "if [ $own = $wanted ]; then library 4 $own; answer '' 0; else library 1 $wanted; answer '' 1; fi", "exit 9");
        Assert.All(records.Records, r => Assert.Equal(TriageOutcome.Analysed, r.Outcome));
        Assert.Equal((2, 0), (Started("worker"), Started("own")));
    }

    [SkippableFact]
    public void Dump_that_a_worker_read_without_its_library_is_read_again_by_one_that_has_none()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        Pretend(4);
        TriageRecords records = Run(
            $"case $path in *[13].dmp) own=${{own:-}}; library 0 $own; answer '' 0;; *) own={FirstLibrary}; library 4 $own; answer '' 0;; esac", "exit 9");
        Assert.All(records.Records, r => Assert.Equal(TriageOutcome.Analysed, r.Outcome));
        Assert.Equal((2, 0), (Started("worker"), Started("own")));
    }

    [SkippableFact]
    public void Fresh_processes_are_started_for_each_dump_where_that_is_asked_for()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        Pretend(3);
        Run("exit 9", Nothing, o => o with { IsFresh = true });
        Assert.Equal((0, 3), (Started("worker"), Started("own")));
    }

    [SkippableFact]
    public void Workers_end_with_the_run()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        Pretend(2);
        Run("answer '' 0", "exit 9");
        int[] started = [.. File.ReadAllLines(Log).Select(l => int.Parse(l.Split(' ')[1], System.Globalization.CultureInfo.InvariantCulture))];
        Assert.NotEmpty(started);
        Assert.True(SpinWait.SpinUntil(() => !started.Any(p => Directory.Exists($"/proc/{p}")), TimeSpan.FromMinutes(5)), "a worker goes on");
    }

    public void Dispose() => _folder.Dispose();

    private const string Nothing =
        """echo '{"schema":"dump-report/1","source":{"name":"x","kind":"k","size":1},"undecidable":false,"verdicts":[],"detectors":[]}'""";

    private string Log => Path.Combine(_folder.Dumps, "..", "started");

    private int Started(string how) => File.Exists(Log) ? File.ReadLines(Log).Count(l => l.StartsWith(how, StringComparison.Ordinal)) : 0;

    private void Pretend(int dumps)
    {
        for (int i = 0; i < dumps; i++)
        {
            _folder.Pretend($"{i}.dmp", i, 5000 - i);
        }
    }

    /// <summary>Runs a script for each dump of a worker, and another in a process of its own.</summary>
    private TriageRecords Run(string worker, string own, Func<TriageOptions, TriageOptions>? change = null)
    {
        AnalysisProgram program = TriageFolder.Script($$"""
            octal() { printf '\\%03o\\%03o\\000\\000' $(($1 % 256)) $(($1 / 256)); }
            piece() { printf "\\$1$(octal ${#2})"; printf '%s' "$2"; }
            library() { printf "\\005$(octal $((1 + ${#2})))\\$(printf %03o $1)%s" "$2"; }
            answer() {
              [ -n "$1" ] && piece 002 "$1
            " || piece 001 "$({{Nothing}})"
              printf "\\003\\004\\000\\000\\000\\$(printf %03o $2)\\000\\000\\000"
            }
            sum() { for p in $(cat /proc/$$/task/$$/children); do cat /proc/$p/status 2>/dev/null; done | awk '/RssAnon/ { s += $2 } END { print s + 0 }'; }
            if [ "$last" = worker ]; then
              echo worker $$ >> {{Log}}
              number=0
              while n=$(head -c 4 | od -An -tu4 | tr -d ' ') && [ -n "$n" ]; do
                path=$(head -c $n | tr '\0' '\n' | tail -n 1)
                number=$((number + 1))
                printf '\001\000\000\000\000'
                {{worker}}
              done
            else
              echo own $$ >> {{Log}}
              {{own}}
            fi
            """) with { HasWorkers = true };
        return _folder.Run(program, o => (change is null ? o : change(o)) with { Jobs = 1 });
    }
}
