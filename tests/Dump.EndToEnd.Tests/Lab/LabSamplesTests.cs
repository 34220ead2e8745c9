using Dump.Testing.Lab;
using Xunit;

namespace Dump.EndToEnd.Tests.Lab;

/// <summary>The samples are what they claim to be, as Microsoft's debugger engine sees their dumps.</summary>
public sealed class LabSamplesTests
{
    [SkippableFact]
    public void The_exiting_thread_spins_in_the_plug_in_below_the_loader_and_the_loading_thread_waits_above_it()
    {
        var dump = RequireDump("loader-exit");

        var exiting = StackOf(dump, "exiting");
        AssertInOrder(exiting, "ntdll!ZwYieldExecution", "mathplug!mathplug_lock", "mathplug!mathplug_free_buffers", "ntdll!LdrShutdownThread");

        var loading = StackOf(dump, "loading");
        AssertInOrder(loading, "ntdll!RtlEnterCriticalSection", "ntdll!LdrLoadDll", "kernelbase!LoadLibraryW", "mathplug!mathplug_transform");
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [InlineData("loader-exit", "loading", 0x1u)]
    [InlineData("loader-exit --owner-word", "loading", null)]
    public void The_spin_lock_word_holds_one_or_the_owner(string sample, string owner, uint? expected)
    {
        var dump = RequireDump(sample);

        var word = WineLab.Shared.RunDebugger(dump.Path, $"dd {dump.Addresses["spin-lock"]:x} L1");

        Assert.EndsWith($"{expected ?? dump.Thread(owner):x8}", word.Trim());
    }

    [SkippableTheory]
    [InlineData("loader-attach", "attaching", "ntdll!RtlEnterCriticalSection auditplug!auditplug_register ntdll!LdrInitializeThunk")]
    [InlineData("loader-attach --process-attach", "attaching", "ntdll!RtlEnterCriticalSection auditplug!auditplug_register startplug ntdll!LdrLoadDll")]
    [InlineData("loader-join", "joining", "kernelbase!WaitForSingleObject joinplug!joinplug_stop ntdll!LdrUnloadDll")]
    [InlineData("loader-join", "joined", "ntdll!RtlEnterCriticalSection ntdll!LdrShutdownThread")]
    public void Threads_stand_where_their_sample_puts_them(string sample, string role, string frames)
    {
        var dump = RequireDump(sample);

        AssertInOrder(StackOf(dump, role), frames.Split(' '));
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [InlineData("loader-attach --spin", "attaching", "ntdll!ZwYieldExecution auditplug!auditplug_register")]
    [InlineData("loader-attach", "loading", "ntdll!RtlEnterCriticalSection ntdll!LdrLoadDll auditplug!auditplug_export")]
    [InlineData("cs-cycle2", "first", "ntdll!RtlEnterCriticalSection")]
    [InlineData("cs-cycle3", "third", "ntdll!RtlEnterCriticalSection")]
    [InlineData("slow-owner", "owner", "ntdll!NtDelayExecution kernelbase!Sleep")]
    [InlineData("head-blocker", "owner", "kernelbase!WaitForSingleObject")]
    [InlineData("head-blocker --healthy", "owner", "kernelbase!WaitForSingleObject")]
    [InlineData("diamond", "behind-left", "ntdll!RtlEnterCriticalSection")]
    [InlineData("runaway", "runaway", "ntdll!ZwYieldExecution kernelbase!SwitchToThread")]
    [InlineData("loader-exit --slow-owner", "loading", "ntdll!NtDelayExecution mathplug!mathplug_transform_slowly")]
    public void Further_threads_stand_where_their_sample_puts_them(string sample, string role, string frames) =>
        Threads_stand_where_their_sample_puts_them(sample, role, frames);

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [InlineData("head-blocker", 5)]
    [InlineData("head-blocker --healthy", 5)]
    [InlineData("head-blocker --few", 2)]
    public void All_waiters_of_a_head_blocker_stand_in_the_lock(string sample, int waiters)
    {
        var dump = RequireDump(sample);

        Assert.Equal(waiters, dump.Threads["waiter"].Count);
        string[] commands = [.. dump.Threads["waiter"].Select(w => $"~~[{w:x}]k")];
        var stacks = ExtensionLab.Split(WineLab.Shared.RunDebugger(dump.Path, commands), commands);
        Assert.All(stacks, s => AssertInOrder(s, "ntdll!RtlWaitOnAddress", "ntdll!RtlEnterCriticalSection"));
    }

    [SkippableFact]
    [Trait("Category", "Slow")]
    public void An_ended_owner_is_gone_while_its_waiters_remain()
    {
        var dump = RequireDump("cs-orphan");

        var threads = WineLab.Shared.RunDebugger(dump.Path, "~");

        Assert.DoesNotContain($".{dump.Thread("ended-owner"):x} ", threads);
        Assert.All(dump.Threads["waiter"], waiter => Assert.Contains($".{waiter:x} ", threads));
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [InlineData(DumpKind.Small)]
    [InlineData(DumpKind.Normal)]
    [InlineData(DumpKind.Triage)]
    public void Smaller_kinds_open_and_list_their_threads(DumpKind kind)
    {
        Skip.If(WineLab.Shared.Unavailable is not null, WineLab.Shared.Unavailable);
        var dump = WineLab.Shared.Dump("loader-exit", kind);

        var threads = WineLab.Shared.RunDebugger(dump.Path, "~");

        Assert.Contains($".{dump.Thread("exiting"):x} ", threads);
        Assert.Contains($".{dump.Thread("loading"):x} ", threads);
    }

    private static LabDump RequireDump(string sample)
    {
        Skip.If(WineLab.Shared.Unavailable is not null, WineLab.Shared.Unavailable);
        var words = sample.Split(' ');
        return WineLab.Shared.Dump(words[0], DumpKind.Full, words[1..]);
    }

    private static string StackOf(LabDump dump, string role) =>
        WineLab.Shared.RunDebugger(dump.Path, $"~~[{dump.Thread(role):x}]k");

    private static void AssertInOrder(string text, params string[] parts)
    {
        var position = 0;
        foreach (var part in parts)
        {
            position = text.IndexOf(part, position, StringComparison.Ordinal);
            Assert.True(position >= 0, $"'{part}' is missing or out of order in:\n{text}");
        }
    }
}
