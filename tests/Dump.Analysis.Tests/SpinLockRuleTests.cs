using Dump.Analysis.Options;
using Dump.Analysis.Spinning;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;

namespace Dump.Analysis.Tests;

/// <summary>The grade of "spins for a lock that thread X holds".</summary>
public sealed class SpinLockRuleTests
{
    private const uint Spinner = 4;
    private const uint Holder = 8;
    private static readonly string[] s_spin = ["ntdll!NtYieldExecution", "kernelbase!SwitchToThread", "mkl_intel_thread", "ntdll!LdrShutdownThread"];
    private static readonly string[] s_blocked = ["ntdll!NtWaitForSingleObject", "ntdll", "ntdll!LdrLoadDll", "mkl_core", "app!work"];
    private static readonly Resource s_event = new(ResourceKind.Event, 0x44);

    private static SnapshotBuilder Scene(ulong? word, string[]? spin = null, bool fromInstruction = true, FrameTrust trust = FrameTrust.UnwindInfo) =>
        new SnapshotBuilder()
        .Thread(Spinner, ThreadActivityKind.Yielding, spin ?? s_spin, words: word is { } value ? [new SpinWord(0x5000, value, "mkl_core.dll", fromInstruction)]
            : [], trust: trust)
        .Thread(Holder, frames: s_blocked).Wait(Holder, s_event);

    private static OwnershipFact? Owner(SnapshotBuilder scene) => SpinLockRule.Apply(scene.Build(), AnalysisOptions.Default).Ownerships.SingleOrDefault();

    [Fact]
    public void Word_that_holds_the_candidates_id_proves_it() => Assert.Equal((Holder, Grade.Proven),
        (Owner(Scene(Holder))!.OwnerThreadId, Owner(Scene(Holder))!.Grade));

    [Theory]
    [InlineData(Holder, Grade.Proven)]
    [InlineData(1u, Grade.Derived)]
    public void Only_a_word_that_names_the_holder_proves_the_wait_without_processor_times(uint word, Grade expected) =>
        Assert.Equal(expected, Assert.Single(SpinLockRule.Apply(Scene(word).Build(), AnalysisOptions.Default).Waits).Grade);

    [Fact]
    public void Word_that_is_not_zero_derives_it() => Assert.Equal(Grade.Derived, Owner(Scene(1))!.Grade);

    [Fact]
    public void Register_alone_that_holds_the_id_proves_nothing() => Assert.Equal(Grade.Suspected, Owner(Scene(Holder, fromInstruction: false))!.Grade);

    [Fact]
    public void Without_a_word_it_is_a_suspicion() => Assert.Equal(Grade.Suspected, Owner(Scene(null))!.Grade);

    [Fact]
    public void Zero_word_counts_as_none() => Assert.Equal(Grade.Suspected, Owner(Scene(0))!.Grade);

    [Theory]
    [InlineData(Spinner, Grade.Suspected)]
    [InlineData(Holder, Grade.Derived)]
    public void Nobody_spins_on_a_lock_that_he_holds_himself(uint lockOwner, Grade expected) =>
        Assert.Equal(expected, Owner(Scene(1).Own(SnapshotBuilder.Section(0x5000), lockOwner))!.Grade);

    [Fact]
    public void Scanned_frames_make_a_suspicion() => Assert.Equal(Grade.Suspected, Owner(Scene(1, trust: FrameTrust.Scan))!.Grade);

    [Fact]
    public void Two_candidates_name_nobody() => Assert.Null(Owner(Scene(1).Thread(12, frames: s_blocked).Wait(12, s_event)));

    [Fact]
    public void A_candidate_that_does_not_wait_is_none() => Assert.Null(Owner(new SnapshotBuilder()
        .Thread(Spinner, ThreadActivityKind.Yielding, s_spin, words: [new SpinWord(0x5000, 1, null, true)])
        .Thread(Holder, ThreadActivityKind.Running, s_blocked)));

    [Fact]
    public void A_module_with_a_similar_name_is_no_family() => Assert.Null(
        Owner(Scene(1, ["ntdll!NtYieldExecution", "kernelbase!SwitchToThread", "mkltools"])));

    [Fact]
    public void Yield_functions_that_are_not_innermost_are_no_spin() =>
        Assert.Empty(SpinLockRule.Apply(Scene(1, ["ntdll", "ntdll!NtYieldExecution", "mkl_core"]).Build(), AnalysisOptions.Default).Observations);

    [Fact]
    public void A_function_of_another_module_named_like_a_yield_is_none() =>
        Assert.Empty(SpinLockRule.Apply(Scene(1, ["hooks!NtYieldExecution", "mkl_core"]).Build(), AnalysisOptions.Default).Observations);
}
