using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using static Dump.Analysis.Tests.SnapshotBuilder;

namespace Dump.Analysis.Tests;

/// <summary>Victims of a loader deadlock are called starting or exiting threads where their stacks prove it, and only there.</summary>
public sealed class VictimKindTests
{
    private const uint Victim = 9;
    private static readonly Resource s_ownership = new(ResourceKind.LoadOwnership, 0);

    [Theory]
    [InlineData("ntdll!NtWaitForAlertByThreadId ntdll!RtlEnterCriticalSection ntdll!LdrShutdownThread ntdll!RtlExitUserThread", VictimKind.ExitingThread)]
    [InlineData("ntdll!NtWaitForSingleObject ntdll ntdll!LdrShutdownThread ntdll!RtlExitUserThread kernel32!BaseThreadInitThunk", VictimKind.ExitingThread)]
    [InlineData("ntdll!NtWaitForSingleObject ntdll ntdll!RtlExitUserThread kernel32!BaseThreadInitThunk", VictimKind.ExitingThread)]
    [InlineData("ntdll!NtWaitForSingleObject ntdll ntdll ntdll ntdll!LdrInitializeThunk", VictimKind.StartingThread)]
    [InlineData("ntdll!NtWaitForSingleObject ntdll!LdrpDrainWorkQueue ntdll!LdrpInitializeThread ntdll!LdrInitializeThunk", VictimKind.StartingThread)]
    public void A_thread_that_starts_or_ends_is_called_so(string frames, VictimKind expected) => Assert.Equal(expected, KindOf(Behind(frames)));

    [Theory]
    [InlineData("ntdll!NtWaitForSingleObject ntdll ntdll!LdrLoadDll kernelbase!LoadLibraryExW app!work")]
    [InlineData("ntdll!NtWaitForSingleObject ntdll ntdll!LdrLoadDll kernelbase!LoadLibraryExW plug ntdll ntdll!LdrShutdownThread")]
    [InlineData("ntdll!NtWaitForSingleObject ntdll ntdll!LdrUnloadDll ntdll!RtlExitUserThread")]
    [InlineData("ntdll!NtWaitForSingleObject ntdll ntdll!RtlExitUserProcess ntdll!RtlExitUserThread")]
    [InlineData("ntdll!NtWaitForSingleObject ntdll ntdll!LdrpInitializeProcess ntdll!LdrInitializeThunk")]
    public void A_thread_that_waits_in_the_loader_for_something_else_is_not(string frames) => Assert.Equal(VictimKind.Thread, KindOf(Behind(frames)));

    [Fact]
    public void An_exiting_thread_that_waits_for_another_lock_is_not() => Assert.Equal(
        VictimKind.Thread,
        KindOf(Behind("ntdll!NtWaitForAlertByThreadId ntdll!RtlEnterCriticalSection ntdll!LdrShutdownThread", resource: Section(0xA))));

    [Theory]
    [InlineData("ntdll!NtWaitForSingleObject ntdll ntdll ntdll", FrameTrust.UnwindInfo, Grade.Proven)]
    [InlineData("ntdll!NtWaitForSingleObject ntdll ntdll!LdrShutdownThread", FrameTrust.Scan, Grade.Proven)]
    [InlineData("ntdll!NtWaitForSingleObject ntdll ntdll!LdrShutdownThread", FrameTrust.UnwindInfo, Grade.Suspected)]
    public void Without_names_trusted_frames_or_a_known_wait_it_is_not(string frames, FrameTrust trust, Grade grade) =>
        Assert.DoesNotContain(Groups(Behind(frames, trust: trust, grade: grade)), g => g.Kind != VictimKind.Thread);

    [Fact]
    public void Kinds_are_groups_of_their_own()
    {
        SnapshotBuilder builder = Behind("ntdll!LdrShutdownThread").Thread(11, frames: ["ntdll!LdrShutdownThread"]).Wait(11, s_ownership)
            .Thread(12, frames: ["ntdll!LdrInitializeThunk"]).Wait(12, s_ownership).Thread(13).Wait(13, s_ownership);
        Assert.Equal(
            new[] { ("ExitingThread", "9,11"), ("StartingThread", "12"), ("Thread", "13") },
            Groups(builder).Select(g => (g.Kind.ToString(), string.Join(',', g.ThreadIds))).OrderBy(g => g.Item1, StringComparer.Ordinal).ToArray());
    }

    private static VictimKind KindOf(SnapshotBuilder builder) => Assert.Single(Groups(builder), g => g.ThreadIds.Contains(Victim)).Kind;

    private static VictimGroup[] Groups(SnapshotBuilder builder) =>
        [.. Assert.Single(HangAnalysis.Run(builder.Build()).Verdicts, v => v.DetectorId == "DUMP1001").Victims];

    /// <summary>A loader deadlock of threads 1 and 2, and a thread with these frames that waits behind it.</summary>
    private static SnapshotBuilder Behind(
        string frames, Resource? resource = null, FrameTrust trust = FrameTrust.UnwindInfo, Grade grade = Grade.Proven) => new SnapshotBuilder()
        .Thread(1).Thread(2).Own(s_ownership, 1).Wait(1, Section(0xA)).Own(Section(0xA), 2).Wait(2, s_ownership)
        .Thread(Victim, frames: frames.Split(' '), trust: trust).Wait(Victim, resource ?? s_ownership, grade: grade);
}
