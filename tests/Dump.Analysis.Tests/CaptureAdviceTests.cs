using Dump.Model.Facts;
using Dump.Model.Process;
using static Dump.Analysis.Tests.SnapshotBuilder;

namespace Dump.Analysis.Tests;

/// <summary>The advice on how to capture what is missing never recommends what the dump already is.</summary>
public sealed class CaptureAdviceTests
{
    [Theory]
    [InlineData(false, "procdump -ma PID")]
    [InlineData(true, "another dump: this one was written with all memory")]
    public void Dump_of_all_memory_is_not_told_to_have_all_memory(bool allMemory, string expected)
    {
        SnapshotBuilder builder = new() { Available = DataAvailability.All with { LockMemory = false, AllMemory = allMemory } };
        MissingData missing = Assert.Single(
            Missing(builder.Thread(1).Wait(1, Section(0)).Build()), m => m.What.StartsWith("the memory of locks", StringComparison.Ordinal));
        Assert.StartsWith(expected, missing.CaptureAdvice, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(6u, true)]
    [InlineData(10u, false)]
    public void Windows_10_is_recommended_to_older_systems_alone(uint version, bool expected)
    {
        ProcessSnapshot snapshot = new SnapshotBuilder().Thread(1).Wait(1, new(Model.Waits.ResourceKind.Unknown, 0, 1)).Build();
        MissingData missing = Assert.Single(
            Missing(snapshot with { System = snapshot.System with { MajorVersion = version } }), m =>
                m.What.StartsWith("the handle or address", StringComparison.Ordinal));
        Assert.Equal(expected, missing.CaptureAdvice.Contains("Windows 10", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(ProcessorArchitecture.X86)]
    [InlineData(ProcessorArchitecture.Arm64)]
    public void Architectures_that_are_walked_are_not_sent_to_another(ProcessorArchitecture architecture)
    {
        ProcessSnapshot snapshot = new SnapshotBuilder().Thread(1, ThreadActivityKind.Unknown).Build();
        MissingData missing = Assert.Single(
            Missing(snapshot with { System = snapshot.System with { Architecture = architecture } }), m =>
                m.What.StartsWith("the innermost function", StringComparison.Ordinal));
        Assert.DoesNotContain("x64 build", missing.CaptureAdvice, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(null, false, "the system call of 1 thread (/proc/PID/task/TID/syscall, ", "run dumpanalyze as root, or in its container with ")]
    [InlineData(null, true, "the innermost function of 1 thread (registers or code)", "echo 0x3f > /proc/PID/coredump_filter, then gcore ")]
    [InlineData(4096L, false, "the innermost function of 1 thread (registers or code)", "echo 0x3f > /proc/PID/coredump_filter, then gcore ")]
    public void Linux_knows_no_ntdll_and_a_native_process_no_dotnet_dump(long? fileSize, bool hasStacks, string what, string advice)
    {
        ProcessSnapshot snapshot = new SnapshotBuilder { Available = DataAvailability.All with { Stacks = hasStacks } }
            .Thread(1, ThreadActivityKind.Unknown).Build();
        snapshot = snapshot with
        {
            System = snapshot.System with { Family = OperatingSystemFamily.Linux },
            Source = snapshot.Source with { FileSize = fileSize },
        };
        MissingData[] all = [.. Missing(snapshot)];
        Assert.DoesNotContain(all, m => m.What.Contains("ntdll", StringComparison.Ordinal));
        MissingData activity = Assert.Single(all, m => m.What.StartsWith(what, StringComparison.Ordinal));
        Assert.StartsWith(advice, activity.CaptureAdvice, StringComparison.Ordinal);
        if (!hasStacks)
        {
            MissingData stacks = Assert.Single(all, m => m.What.StartsWith("thread stacks", StringComparison.Ordinal));
            Assert.StartsWith(fileSize is null ? "gdb -p PID" : advice, stacks.CaptureAdvice, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Each_kind_of_missing_data_has_its_words_and_each_kind_of_capture_too()
    {
        Assert.Equal(Enum.GetValues<MissingKind>(), MissingKinds.All.Select(r => r.Kind));
        foreach (MissingKindFacts row in MissingKinds.All)
        {
            MissingParts one = new(1, "shop.dll", "why"), two = one with { Count = 2 };
            Assert.All([row.What(one), row.What(two), row.Consequence(one), row.Consequence(two)], w => Assert.False(string.IsNullOrWhiteSpace(w)));
            Assert.Equal(row.What(one).Contains("1 thread", StringComparison.Ordinal), row.What(two).Contains("2 threads", StringComparison.Ordinal));
        }

        Assert.All(
            Enum.GetValues<CaptureKind>(),
            k => Assert.Equal(k is CaptureKind.AsGiven or CaptureKind.Nothing, CaptureKinds.Words(k, CaptureTarget.OfThisSystem, "shop.dll").Length == 0));
    }

    [Theory]
    [InlineData(true, true)]
    [InlineData(true, false)]
    [InlineData(false, true)]
    public void Living_process_is_named_by_its_id_and_is_no_dump(bool isLinux, bool runsDotNet)
    {
        CaptureTarget living = new(isLinux, runsDotNet, 4711);
        foreach (CaptureKind kind in Enum.GetValues<CaptureKind>())
        {
            string words = CaptureKinds.Words(kind, living, "shop.dll");
            Assert.DoesNotContain("PID", words, StringComparison.Ordinal);
            Assert.DoesNotContain("this dump", words, StringComparison.Ordinal);
            Assert.DoesNotContain(" FILE", words, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData(null, true, "two looks some seconds apart: dumpanalyze live 4711 --keep a.core; sleep 10; ")]
    [InlineData(null, false, "two looks some seconds apart: dumpanalyze live 4711 --keep a.core; sleep 10; ")]
    [InlineData(4096L, true, "two dumps some seconds apart: dotnet-dump collect -p PID, twice")]
    [InlineData(4096L, false, "two cores some seconds apart: gcore -o a PID; sleep 10; gcore -o b PID; dumpanalyze a.PID b.PID")]
    public void Later_moment_is_asked_for_by_what_the_process_is(long? fileSize, bool isManaged, string advice)
    {
        SnapshotBuilder builder = new();
        builder.Thread(1).With(t => t with { ManagedId = isManaged ? 1 : null });
        ProcessSnapshot snapshot = builder.Build();
        snapshot = snapshot with
        {
            ProcessId = 4711,
            System = snapshot.System with { Family = OperatingSystemFamily.Linux },
            Source = snapshot.Source with { FileSize = fileSize },
            Modules = [new ModuleSnapshot("shop", "/srv/shop", 0x1000, 0x1000, 0, null, null)],
        };
        Assert.StartsWith(advice, MissingData.Of(MissingKind.LaterMomentOfThreads, 1).For(snapshot.CaptureTarget).CaptureAdvice, StringComparison.Ordinal);
    }

    private static IEnumerable<MissingData> Missing(ProcessSnapshot snapshot) => HangAnalysis.Run(snapshot).Outcomes.SelectMany(o => o.Missing)
        .DistinctBy(m => m.What);
}
