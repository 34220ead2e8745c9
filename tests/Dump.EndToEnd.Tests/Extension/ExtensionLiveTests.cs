using System.Text.RegularExpressions;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Extension;

/// <summary>The extension on running processes that the debugger only looks at: what the snapshot holds, and what becomes of it and of the process.</summary>
public sealed partial class ExtensionLiveTests : IDisposable
{
    private const int MostAttempts = 3;
    private readonly string _directory = Directory.CreateTempSubdirectory("dump-live-").FullName;

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [InlineData("loader-exit --victims", true, "DUMP1001 Loader-lock deadlock (Likely)")]
    [InlineData("spin-owner", true, "DUMP2001 Spinning owner")]
    [InlineData("ui-lock", true, "DUMP4001")]
    [InlineData("slow-owner", false, "DUMP9001 Cannot decide")]
    [InlineData("cs-orphan", false, "DUMP1003 Orphaned lock (Confirmed)")]
    [InlineData("loader-attach", false, "DUMP1001 Loader-lock deadlock (Confirmed)")]
    [InlineData("head-blocker --peb-lock", false, "DUMP1005 Head blocker (Suspected)")]
    [InlineData("heap-lock", false, "DUMP1005 Head blocker")]
    [InlineData("init-once", false, "DUMP1002 Lock-cycle deadlock")]
    public void Small_snapshot_gives_every_answer_of_further_samples_too(string sample, bool tellsAllCommandsApart, string expected) =>
        Small_snapshot_gives_every_answer_that_all_memory_gives(sample, tellsAllCommandsApart, expected);

    [SkippableTheory]
    [InlineData("cs-cycle2", true, "DUMP1002 Lock-cycle deadlock (Confirmed)")]
    [InlineData("srw-cycle", false, "DUMP1002 Threads that may wait for each other (Suspected)")]
    [InlineData("ui-event", false, "DUMP4003")]
    public void Small_snapshot_gives_every_answer_that_all_memory_gives(string sample, bool tellsAllCommandsApart, string expected)
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        string[] commands = tellsAllCommandsApart ? ["!lockchain -all", "!verdict", "!lockchain", "!spinners", "!uihang", "!dictloop"]
            : ["!lockchain -all", "!verdict"];
        // Not stopped: threads that spin shall go on using processor time, which their verdicts rest on.
        string[] both = [.. commands.SelectMany(c => (string[])[c, $"{c} -full"])];
        (IReadOnlyList<string> outputs, _) = ExtensionLab.Shipped.RunOnProcess(sample.Split(' '), isStopped: false, both);
        for (int attempt = 1; attempt < MostAttempts && IsStarved(sample, outputs); attempt++)
        {
            (outputs, _) = ExtensionLab.Shipped.RunOnProcess(sample.Split(' '), isStopped: false, both);
        }

        for (int i = 0; i < commands.Length; i++)
        {
            Assert.True(Lasting(outputs[(2 * i) + 1]) == Lasting(outputs[2 * i]), $"{commands[i]}\nfull:\n{outputs[(2 * i) + 1]}\nsmall:\n{outputs[2 * i]}");
            Assert.Contains("full memory", outputs[(2 * i) + 1], StringComparison.Ordinal);
        }

        // Whenever more memory might tell more, a full snapshot is asked: what a small one answers is whole.
        Assert.Contains("partial memory", outputs[0], StringComparison.Ordinal);
        Assert.True(outputs[2].Contains("full memory", StringComparison.Ordinal) || !outputs[2].Contains("Could not be decided", StringComparison.Ordinal),
            outputs[2]);
        Assert.Contains(expected, outputs[2], StringComparison.Ordinal);
    }

    [SkippableTheory]
    [InlineData(true, "1")]
    [InlineData(false, "0")]
    public void Process_is_left_as_it_was(bool isStopped, string suspendCount)
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        (IReadOnlyList<string> outputs, _) = ExtensionLab.Shipped.RunOnProcess(
            ["cs-cycle2"], isStopped, "@suspends", "!verdict", "!verdict -full", "!lockchain -all", ExtensionLab.Shipped.Anew[0],
                ExtensionLab.Shipped.Anew[1], "@interrupt engine", "!verdict -full", "@kill 10", "!verdict", "@suspends");
        Assert.Matches($"^([0-9a-f]+ {suspendCount}\n){{3}}$", outputs[0]);
        Assert.Contains("killed 1\n", outputs[^2], StringComparison.Ordinal);
        Assert.Equal(outputs[0], outputs[^1]);
        LeftSnapshots.AssertNone();
    }

    /// <summary>What the debugger says while it writes the snapshot belongs to nobody's expression.</summary>
    [SkippableFact]
    public void Expression_prints_its_value_alone()
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        (IReadOnlyList<string> outputs, _) = ExtensionLab.Shipped.RunOnProcess(["cs-cycle2"], isStopped: true, "dx @$hang()", "!dxanswer");
        Assert.Equal(
            "@$hang()         : 1 verdict\n    Undecidable      : false\n    [0x0]            : DUMP1002 Lock-cycle deadlock [Confirmed]\n", outputs[0]);
        Assert.DoesNotContain("DUMP", outputs[1], StringComparison.Ordinal);
    }

    [SkippableFact]
    public void Snapshot_is_the_same_question_as_a_dump_of_the_debugger()
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        string dump = Path.Combine(_directory, "own.dmp");
        (IReadOnlyList<string> outputs, LabDump sample) = ExtensionLab.Shipped.RunOnProcess(
            ["loader-exit", "--victims"], isStopped: false, $".dump /ma {WineLab.WindowsPath(dump)}", "!verdict", "!lockchain -all", "!lockchain ~~[1]",
                "!dictloop");
        Assert.Equal(Lasting(DumpAnalyze.Run(dump).Output), Lasting(outputs[1]));
        Assert.Equal(Lasting(DumpAnalyze.Run("lockchain", dump).Output), Lasting(outputs[2]));
        Assert.Equal("dumpext: there is no thread ~~[1]; ~ lists them\n", outputs[3]);
        Assert.Equal(Lasting(DumpAnalyze.Run("dictloop", dump).Output), Lasting(outputs[4]));
        Assert.Contains("DUMP1001", outputs[1], StringComparison.Ordinal);
        Assert.Contains($"(0x{sample.Thread("exiting"):x})", outputs[1], StringComparison.Ordinal);
    }

    [SkippableFact]
    public void Snapshot_disappears_with_a_debugger_that_is_killed_and_stale_ones_with_the_next_command()
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        (IReadOnlyList<string> outputs, _) = ExtensionLab.Shipped.RunOnProcess(["cs-cycle2"], isStopped: false, "@die", "!verdict -full");
        Assert.Matches("^ending beside a snapshot of [1-9][0-9]{6,} bytes\n$", outputs[1]);
        LeftSnapshots.AssertNone();

        string temporary = Path.Combine(WineLab.Prefix, "drive_c", "users", Environment.UserName, "Temp");
        File.WriteAllText(Path.Combine(temporary, "dumpext-4-5-0.dmp"), "left by a computer that went down");
        ExtensionLab.Shipped.RunOnProcess(["cs-cycle2"], isStopped: false, "!lockchain -all");
        LeftSnapshots.AssertNone();
    }

    /// <summary>The debugger refuses to write then, and has taken the wish itself.</summary>
    [SkippableFact]
    public void Interrupt_just_before_the_snapshot_is_written_is_not_lost()
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        (IReadOnlyList<string> outputs, _) = ExtensionLab.Shipped.RunOnProcess(
            ["cs-cycle2"], isStopped: false, "@interrupted-write", "!verdict", "@space", "!verdict");
        Assert.Equal("dumpext: interrupted; the snapshot of the process was not finished\n", outputs[1]);
        Assert.Contains("DUMP1002", outputs[3], StringComparison.Ordinal);
        LeftSnapshots.AssertNone();
    }

    [SkippableFact]
    public void Snapshot_that_does_not_fit_is_not_begun()
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        (IReadOnlyList<string> outputs, _) = ExtensionLab.Shipped.RunOnProcess(
            ["cs-cycle2"], isStopped: false, "@space 70000000", "!verdict", "@space 30000000", "!verdict -full", "!verdict", "@space", "!verdict -full");
        Assert.Contains("DUMP1002", outputs[1], StringComparison.Ordinal);
        foreach (string refused in (string[])[outputs[3], outputs[4]])
        {
            Assert.Matches(@"^dumpext: a snapshot of this process may take [1-9][0-9]* MiB, and C:\\.*Temp\\ has 29 MiB left; make room there, or set TMP to another directory before the debugger starts\n$", refused);
        }

        Assert.Contains("DUMP1002", outputs[6], StringComparison.Ordinal);
        LeftSnapshots.AssertNone();
    }

    public void Dispose() => Directory.Delete(_directory, recursive: true);

    /// <summary>True where the machine was too busy for the sample: an owner that hardly ran is one that threads queue behind.</summary>
    private static bool IsStarved(string sample, IReadOnlyList<string> outputs) =>
        sample == "spin-owner"
            && (outputs.Any(o => o.Contains("DUMP1005", StringComparison.Ordinal) && !o.Contains("DUMP2001", StringComparison.Ordinal))
                || !outputs.Take(2).All(o => o.Contains("waits for a spin lock", StringComparison.Ordinal)));

    /// <summary>
    /// An answer without what changes from one moment to the next: the lines about the dump file, times, the frames of threads that run, and how sure their use
    /// of the processor is (on a busy machine it falls).
    /// </summary>
    private static string Lasting(string output) => Time().Replace(Passing().Replace(output.ReplaceLineEndings("\n"), ""), "");

    [GeneratedRegex(@"(?m)\A[^\n]*: Windows minidump[^\n]*\n|^captured [^\n]*\n|^comment: [^\n]*\n|^ +\d+  [0-9a-f]{12}  [^\n]*\n|^  It spins [^\n]*\n"
        + @"|^  Look at: [^\n]*\+0x[0-9a-f]+ on thread [^\n]*\n|^ +in [^\n]*\+0x[0-9a-f]+\n")]
    private static partial Regex Passing();

    [GeneratedRegex(@"(\d+ min )?\d+(\.\d+)? (ms|s|%)(?= |,|\)|\.)")]
    private static partial Regex Time();
}
