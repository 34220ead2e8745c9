using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Extension;

/// <summary>
/// What was read of a process that stands still serves the next command too, and no longer than the process stands still: each description of a process has a
/// name of its own, which the first line of an answer states.
/// </summary>
public sealed class ExtensionKeptTests
{
    private static readonly string s_fixture = Path.Combine(Repository.Root, "dumps-fixtures", "cs-orphan.dmp");

    [SkippableFact]
    public void Commands_share_a_description_until_something_of_the_process_is_written_or_runs()
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        (IReadOnlyList<string> outputs, _) = ExtensionLab.Shipped.RunOnProcess(
            ["cs-cycle2"], isStopped: true, "!verdict", "k", "!verdict", "~1s", "!verdict -full", "!verdict", "eb @rsp-100 0", "!verdict", "r rax=@rax", "!verdict",
                "~1m", "!verdict", "~1n", "!verdict", "!verdict");

        // Names that the debugger has learnt between count, and the moment is the same.
        Assert.Equal(Name(outputs[0]), Name(outputs[2]));
        Assert.Equal(outputs[2], outputs[5]);
        string[] moments = [Name(outputs[0]), Name(outputs[7]), Name(outputs[9]), Name(outputs[11]), Name(outputs[13])];
        Assert.Equal(moments.Length, moments.Distinct().Count());
        Assert.Equal(outputs[13], outputs[14]);

        // With a thread that runs there is nothing to describe.
        Assert.Contains("comment: snapshot of a running process by dumpext\n", outputs[11], StringComparison.Ordinal);
        Assert.All([0, 4, 7, 9, 11, 13], i => Assert.Contains("DUMP1002", outputs[i], StringComparison.Ordinal));
        LeftSnapshots.AssertNone();
    }

    [SkippableFact]
    public void Process_that_went_on_is_described_anew()
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        (IReadOnlyList<string> outputs, _) = ExtensionLab.Shipped.RunOnProcess(
            ["cs-cycle2"], DebuggerStance.Attached,
                ["!verdict", "!verdict", "@event 100", "!verdict", .. ExtensionLab.Shipped.Anew, "!verdict", "eb @rsp-100 0", "!verdict"]);
        Assert.Equal(outputs[0], outputs[1]);
        string[] moments = [Name(outputs[0]), Name(outputs[3]), Name(outputs[6]), Name(outputs[8])];
        Assert.Equal(moments.Length, moments.Distinct().Count());
        Assert.All([0, 3, 6, 8], i => Assert.Contains("DUMP1002", outputs[i], StringComparison.Ordinal));
        LeftSnapshots.AssertNone();
    }

    [SkippableTheory]
    [InlineData(DebuggerStance.Attached)]
    [InlineData(DebuggerStance.Stopping)]
    public void Engine_ends_with_the_target_and_the_next_target_gets_another(DebuggerStance stance)
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);

        // Debuggers wait for what happens next behind each such command. With their last target they unload the extensions.
        string load = ExtensionLab.Shipped.Load();
        (IReadOnlyList<string> outputs, _) = ExtensionLab.Shipped.RunOnProcess(
            ["cs-cycle2"], stance, "!verdict", "@processes", ".detach", "@event", "@processes", load, "!verdict", "@processes",
                $".opendump {WineLab.WindowsPath(s_fixture)}", "@event", load, "!verdict", "@processes");
        Assert.Equal("1 processes\n", outputs[1]);
        Assert.Equal("0 processes\n", outputs[4]);
        Assert.EndsWith("dumpext: there is no target: open a dump (.opendump FILE) or attach to a process\n", outputs[6], StringComparison.Ordinal);
        Assert.Equal("0 processes\n", outputs[7]);
        Assert.Equal(ExtensionLab.InDebuggerWords(DumpAnalyze.Run(s_fixture).Output), outputs[11]);
        Assert.Equal("1 processes\n", outputs[12]);
        LeftSnapshots.AssertNone();
    }

    /// <summary>The debugger says so before the next command, which is refused.</summary>
    [SkippableFact]
    public void Engine_ends_when_a_second_target_comes()
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        (IReadOnlyList<string> outputs, _) = ExtensionLab.Shipped.RunOnProcess(
            ["cs-cycle2"], DebuggerStance.Stopping, "!verdict", "@processes", $".opendump {WineLab.WindowsPath(s_fixture)}", "@event", "@processes", "!verdict");
        Assert.Equal("1 processes\n", outputs[1]);
        Assert.Equal("0 processes\n", outputs[4]);
        Assert.StartsWith("dumpext: several targets are open", outputs[5], StringComparison.Ordinal);
        LeftSnapshots.AssertNone();
    }

    /// <summary>A command can come before the debugger says that the target is gone.</summary>
    [SkippableFact]
    public void Command_without_a_target_ends_the_engine()
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        (IReadOnlyList<string> outputs, _) = ExtensionLab.Shipped.RunOnProcess(["cs-cycle2"], DebuggerStance.Attached, "!verdict", ".detach", "!heldlocks", "@processes");
        Assert.EndsWith("dumpext: there is no target: open a dump (.opendump FILE) or attach to a process\n", outputs[2], StringComparison.Ordinal);
        Assert.Equal("0 processes\n", outputs[3]);
    }

    /// <summary>The moment, or the file, that an answer is about.</summary>
    private static string Name(string output)
    {
        Assert.Matches("^(process|dumpext)-", output);
        return output[..output.IndexOf(':', StringComparison.Ordinal)];
    }
}
