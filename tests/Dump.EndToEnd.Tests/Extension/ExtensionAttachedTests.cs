using System.Text.RegularExpressions;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Extension;

/// <summary>
/// The extension in a debugger that debugs the process, at the break-in after attaching: the debugger's own thread is in the process then, and takes no part in
/// the answers.
/// </summary>
public sealed partial class ExtensionAttachedTests
{
    [SkippableFact]
    public void Deadlock_is_found_and_the_process_is_left_as_it_was()
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        (IReadOnlyList<string> outputs, LabDump sample) = ExtensionLab.Shipped.RunOnProcess(
            ["cs-cycle2"], DebuggerStance.Attached, "k", "@suspends", "!verdict", "!verdict -full", "!lockchain", "!lockchain -all", "!lockchain ~1",
                "@suspends");
        Assert.Contains("ntdll!DbgUiRemoteBreakin", outputs[0], StringComparison.Ordinal);
        Assert.Matches("^([0-9a-f]+ 1\n){4}$", outputs[1]);
        Assert.Equal(outputs[1], outputs[^1]);
        Assert.Contains("DUMP1002 Lock-cycle deadlock (Confirmed)", outputs[2], StringComparison.Ordinal);
        Assert.Contains("DUMP1002 Lock-cycle deadlock (Confirmed)", outputs[3], StringComparison.Ordinal);
        const string note = "The current thread is the debugger's own, made to stop the process: every thread that waits follows instead.\n";
        Assert.StartsWith(note, outputs[4], StringComparison.Ordinal);
        Assert.Equal(Lasting(outputs[5]), Lasting(outputs[4][note.Length..]));
        Assert.Contains($"(0x{sample.Thread("first"):x})", outputs[5], StringComparison.Ordinal);
        Assert.DoesNotContain(note, outputs[6], StringComparison.Ordinal);
    }

    /// <summary>The debugger writes them back to the thread only later.</summary>
    [SkippableFact]
    public void Registers_that_the_user_has_changed_count_at_once()
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        (IReadOnlyList<string> outputs, _) = ExtensionLab.Shipped.RunOnProcess(
            ["cs-cycle2"], DebuggerStance.Attached, "~1s", "!verdict", "r $t0=@rip", "r rip=ntdll!NtClose", "!verdict", "!verdict -full", "r rip=@$t0",
                "!verdict");
        const string changed = "is in the system call NtClose";
        Assert.DoesNotContain(changed, outputs[1], StringComparison.Ordinal);
        Assert.Contains(changed, outputs[4], StringComparison.Ordinal);
        Assert.Contains(changed, outputs[5], StringComparison.Ordinal);
        Assert.Equal(WithoutComment(outputs[5]), WithoutComment(outputs[4]));
        Assert.Equal(WithoutComment(outputs[1]), WithoutComment(outputs[7]));
    }

    /// <summary>The debugger's thread waits for the loader lock, which a thread of the process holds: without a debugger nobody waits there.</summary>
    [SkippableFact]
    [Trait("Category", "Slow")]
    public void Debuggers_thread_behind_the_loader_lock_is_no_waiter()
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        (IReadOnlyList<string> outputs, _) = ExtensionLab.Shipped.RunOnProcess(["loader-exit", "--slow-owner"], DebuggerStance.Attached, "~*k", "!verdict",
            "!lockchain ~3");
        Assert.Matches("RtlEnterCriticalSection[^\n]*\n[^\n]*LdrInitializeThunk", outputs[0]);

        // That a thread burns processor time, or that the load owner is between two steps, is true without a debugger too; nobody waits for it.
        Assert.DoesNotMatch("(?m)^DUMP(?!2002|9001)", outputs[1]);
        Assert.DoesNotContain("waits behind it", outputs[1], StringComparison.Ordinal);
        Assert.Matches("(?m)^(No hang found|DUMP2002|DUMP9001)", outputs[1]);
        Assert.Contains("waits for nothing that is known", outputs[2], StringComparison.Ordinal);
    }

    private static string WithoutComment(string output) => Comment().Replace(Lasting(output), "");

    private static string Lasting(string output) => Passing().Replace(output, "");

    [GeneratedRegex(@"(?m)\A[^\n]*: Windows minidump[^\n]*\n|^captured [^\n]*\n")]
    private static partial Regex Passing();

    [GeneratedRegex(@"(?m)^comment: [^\n]*\n")]
    private static partial Regex Comment();
}
