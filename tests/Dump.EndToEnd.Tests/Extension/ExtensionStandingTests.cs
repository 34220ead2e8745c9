using System.Text.RegularExpressions;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Extension;

/// <summary>
/// The extension on processes that the debugger has stopped: the engine reads their memory through the debugger, and answers as from a snapshot of all memory
/// (<c>-full</c>).
/// </summary>
public sealed partial class ExtensionStandingTests : IDisposable
{
    private const string ManagedVersion = "10.0.12";
    private readonly string _directory = Directory.CreateTempSubdirectory("dump-standing-").FullName;

    [SkippableTheory]
    [InlineData("cs-cycle2", "DUMP1002 Lock-cycle deadlock (Confirmed)")]
    [InlineData("srw-cycle", "DUMP1002 Threads that may wait for each other (Suspected)")]
    [InlineData("ui-event", "DUMP4003")]
    public void Memory_through_the_debugger_gives_every_answer_of_a_snapshot(string sample, string expected)
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        AssertSameAnswers(sample.Split(' '), "", expected);
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [InlineData("loader-exit --victims", "DUMP1001 Loader-lock deadlock (Likely)")]
    [InlineData("cs-orphan", "DUMP1003 Orphaned lock (Confirmed)")]
    [InlineData("loader-attach", "DUMP1001 Loader-lock deadlock (Confirmed)")]
    [InlineData("head-blocker --peb-lock", "DUMP1005 Head blocker (Suspected)")]
    [InlineData("heap-lock", "DUMP1005 Head blocker")]
    [InlineData("init-once", "DUMP1002 Lock-cycle deadlock")]
    [InlineData("slow-owner", "DUMP9001 Cannot decide")]
    [InlineData("ui-lock", "DUMP4001")]
    public void Memory_through_the_debugger_gives_every_answer_of_further_samples_too(string sample, string expected) =>
        Memory_through_the_debugger_gives_every_answer_of_a_snapshot(sample, expected);

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [InlineData("dictionary-cycle", "DUMP3001")]
    [InlineData("monitor-cycle3", "DUMP1002")]
    public void Process_of_dot_net_gets_every_answer_of_a_snapshot(string scene, string expected)
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        Skip.If(ManagedWineLab.Unavailable is not null, ManagedWineLab.Unavailable);
        (string? runtime, string? unavailable) = ManagedWineLab.Runtime(ManagedVersion);
        Skip.If(unavailable is not null, unavailable);
        string verdict = AssertSameAnswers(ManagedWineLab.Command(ManagedVersion, scene), $" -dac \"{WineLab.WindowsPath(runtime!)}\"", expected);

        // The PDB lies beside the module.
        Assert.Matches(@"Scenes\.cs:[0-9]+", verdict);
    }

    [SkippableFact]
    public void Interrupt_just_before_the_process_is_described_is_not_lost()
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        (IReadOnlyList<string> outputs, _) = ExtensionLab.Shipped.RunOnProcess(
            ["cs-cycle2"], isStopped: true, "@interrupted-write", "!verdict", "@space", "@interrupt engine", "!verdict", "!verdict", "@suspends");
        Assert.Equal("dumpext: interrupted; the process was not described to the end\n", outputs[1]);
        Assert.Equal("dumpext: interrupted; the engine was ended\n", outputs[4]);
        Assert.Contains("DUMP1002", outputs[5], StringComparison.Ordinal);
        Assert.Matches("^([0-9a-f]+ 1\n){3}$", outputs[6]);
        LeftSnapshots.AssertNone();
    }

    /// <summary>No file is made, however short its life: the folder for temporary files is watched, in which <c>-full</c> makes one.</summary>
    [SkippableFact]
    public void Nothing_is_written()
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        using WatchedFolder temporary = new();
        (IReadOnlyList<string> outputs, _) = ExtensionLab.Shipped.RunOnProcess(
            ["cs-cycle2"], isStopped: true, [.. temporary.Commands, "!verdict", "!lockchain -all", "!heldlocks", "eb @rsp-100 0", "!verdict"]);
        Assert.Contains("DUMP1002", outputs[2], StringComparison.Ordinal);
        Assert.Contains("DUMP1002", outputs[6], StringComparison.Ordinal);
        Assert.Empty(temporary.Made());

        (outputs, _) = ExtensionLab.Shipped.RunOnProcess(["cs-cycle2"], isStopped: true, [.. temporary.Commands, "!verdict -full"]);
        Assert.Contains("DUMP1002", outputs[2], StringComparison.Ordinal);
        Assert.StartsWith("dumpext-", Assert.Single(temporary.Made()), StringComparison.Ordinal);
    }

    /// <summary>Without a library that writes into memory the debugger's own writer makes a file, which goes before the engine is asked.</summary>
    [SkippableFact]
    public void Debugger_without_a_writer_of_its_own_gives_the_same_answers()
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        using WatchedFolder temporary = new();
        string[] commands = ["!verdict", "!lockchain -all", "!heldlocks", "!spinners", "!uihang"];
        (IReadOnlyList<string> outputs, _) = ExtensionLab.Shipped.RunOnProcess(
            ["cs-cycle2"], isStopped: true, [.. temporary.Commands, "~*k", .. commands, "@no-writer", "eb @rsp-100 0", .. commands]);
        for (int i = 0; i < commands.Length; i++)
        {
            Assert.Equal(Lasting(outputs[3 + i]), Lasting(outputs[5 + commands.Length + i]));
        }

        Assert.Contains("DUMP1002", outputs[3], StringComparison.Ordinal);
        Assert.StartsWith("dumpext-", Assert.Single(temporary.Made()), StringComparison.Ordinal);
        Assert.Empty(temporary.Left);
    }

    /// <summary>Where there is no room for a snapshot.</summary>
    [SkippableFact]
    public void Description_needs_no_room()
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        (IReadOnlyList<string> outputs, _) = ExtensionLab.Shipped.RunOnProcess(
            ["cs-cycle2"], isStopped: true, "@space 1000", "!verdict", "!verdict -full", "eb @rsp-100 0", "!verdict");
        Assert.Contains("DUMP1002", outputs[1], StringComparison.Ordinal);
        Assert.StartsWith("dumpext: a snapshot of this process may take ", outputs[2], StringComparison.Ordinal);
        Assert.Contains("DUMP1002", outputs[4], StringComparison.Ordinal);
    }

    [SkippableFact]
    public void Engine_gets_the_description_up_to_its_end()
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        IReadOnlyList<string> outputs = RunStandIn(
            "@environment STANDIN_DESCRIPTION=1", "@environment STANDIN_MEMORY=1048576", "@environment STANDIN_ADDRESS=0", "!verdict",
                "@environment STANDIN_MEMORY=100", "!verdict", "@environment STANDIN_ADDRESS=FFFFFFFFFFFFFFFF", "!verdict", "!verdict -full");
        Assert.Matches("^memory [1-9][0-9]{3,5}\n$", outputs[3]);
        Assert.Equal("memory 100\n", outputs[5]);
        Assert.Equal("memory 0\n", outputs[7]);

        // A snapshot has none.
        Assert.Matches("^dumpext: the engine ended unexpectedly [^\n]*\n$", outputs[8]);
    }

    [SkippableFact]
    public void Engine_gets_what_can_be_read_and_no_more()
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        IReadOnlyList<string> outputs = RunStandIn(
            "@environment STANDIN_ADDRESS=7FFE0000", "@environment STANDIN_MEMORY=4096", "!verdict", "@environment STANDIN_ADDRESS=0", "!verdict",
                "@environment STANDIN_ADDRESS=FFFFFFFFFFFFF000", "@environment STANDIN_MEMORY=1048576", "!verdict");
        Assert.Equal("memory 4096\n", outputs[2]);
        Assert.Equal("memory 0\n", outputs[4]);
        Assert.Equal("memory 0\n", outputs[7]);
    }

    [SkippableFact]
    public void Engine_that_asks_for_what_it_may_not_is_one_clear_line()
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        IReadOnlyList<string> outputs = RunStandIn(
            "@environment STANDIN_MEMORY=1048577", "!verdict", "@processes", "!verdict -full", "@environment STANDIN_MEMORY=1", "!verdict -full", "!verdict");
        Assert.Matches("^dumpext: the engine ended unexpectedly [^\n]*\n$", outputs[1]);
        Assert.Equal("0 processes\n", outputs[2]);
        Assert.Matches("^dumpext: the engine ended unexpectedly [^\n]*\n$", outputs[3]);

        // Of a snapshot nothing can be asked.
        Assert.Matches("^dumpext: the engine ended unexpectedly [^\n]*\n$", outputs[5]);
        Assert.Equal("memory 0\n", outputs[6]);
    }

    /// <summary>The answers fill the pipe to the engine, and the debugger must not wait for it.</summary>
    [SkippableFact]
    public void Engine_that_asks_and_does_not_listen_can_be_interrupted()
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);

        // Described before, so that nothing else can be interrupted.
        IReadOnlyList<string> outputs = RunStandIn(
            "!verdict", "@environment STANDIN_FLOOD=1", "@interrupt from 500", "!verdict", "@processes", "!verdict -timeout 1", "@processes");
        Assert.Equal("dumpext: interrupted; the engine was ended\n", outputs[3]);
        Assert.Equal("0 processes\n", outputs[4]);
        Assert.StartsWith("dumpext: no answer within 1 s;", outputs[5], StringComparison.Ordinal);
        Assert.Equal("0 processes\n", outputs[6]);
    }

    public void Dispose() => Directory.Delete(_directory, recursive: true);

    /// <summary>Returns the verdict.</summary>
    private static string AssertSameAnswers(string[] sample, string options, string expected)
    {
        string[] commands = ["!verdict", "!lockchain -all", "!lockchain", "!heldlocks", "!spinners", "!uihang", "!dictloop"];
        (IReadOnlyList<string> outputs, _) = ExtensionLab.Shipped.RunOnProcess(
            sample, isStopped: true, [.. commands.SelectMany(c => (string[])[c + options, c + options + " -full"])]);
        for (int i = 0; i < commands.Length; i++)
        {
            string through = outputs[2 * i], full = outputs[(2 * i) + 1];

            // The share of its life in which a thread has used a processor falls while it stands still, and what rests on that with it.
            bool isOfOneMoment = Shares(full).SequenceEqual(Shares(through));
            Assert.True(Lasting(full) == Lasting(through) || !isOfOneMoment, $"{commands[i]}\nfull:\n{full}\nthrough the debugger:\n{through}");
            Assert.Contains("full memory", through, StringComparison.Ordinal);
            Assert.Contains("comment: running process, whose memory dumpext read through the debugger\n", through, StringComparison.Ordinal);
            Assert.Contains("comment: snapshot of a running process by dumpext\n", full, StringComparison.Ordinal);
        }

        Assert.Contains(expected, outputs[0], StringComparison.Ordinal);
        LeftSnapshots.AssertNone();
        return outputs[0];
    }

    private IReadOnlyList<string> RunStandIn(params string[] commands)
    {
        string engine = Path.Combine(_directory, "engine");
        Directory.CreateDirectory(engine);
        File.Copy(Path.Combine(ExtensionLab.Shipped.Directory, "dumpext.dll"), Path.Combine(_directory, "dumpext.dll"));
        File.Copy(Path.Combine(ExtensionLab.Shipped.Directory, "engine", "dumpanalyze.dll"), Path.Combine(engine, "dumpanalyze.dll"));
        File.Copy(Path.Combine(WineLab.Prefix, "..", "samples", "enginestandin.exe"), Path.Combine(engine, "dumpanalyze.exe"));
        string[] all = [ExtensionLab.Shipped.Load(_directory), .. commands];
        (string output, _) = WineLab.Shared.RunDebuggerOnProcess("cs-cycle2", DebuggerStance.Stopping, [], all);
        return [.. ExtensionLab.Split(output, all).Skip(1)];
    }

    private static IEnumerable<string> Shares(string output) => Share().Matches(output).Select(m => m.Value);

    /// <summary>
    /// An answer without what changes from one command to the next: the lines about the dump file, and how much of its life a thread has used the processor,
    /// which falls while it stands still.
    /// </summary>
    private static string Lasting(string output) => Share().Replace(Passing().Replace(output.ReplaceLineEndings("\n"), ""), "");

    [GeneratedRegex(@"(?m)\A[^\n]*: Windows minidump[^\n]*\n|^captured [^\n]*\n|^comment: [^\n]*\n|^  It spins [^\n]*\n")]
    private static partial Regex Passing();

    [GeneratedRegex(@"\d+(\.\d+)? %")]
    private static partial Regex Share();
}
