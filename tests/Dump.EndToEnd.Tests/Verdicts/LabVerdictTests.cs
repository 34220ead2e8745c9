using System.Text.Json;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Verdicts;

/// <summary>Every sample, hung for real under Wine and dumped from outside, gets its verdict; every healthy twin gets none.</summary>
public sealed class LabVerdictTests
{
    public static TheoryData<string, string, string?> Full => new()
    {
        { "loader-exit", "", "DUMP1001" },
        { "loader-attach", "", "DUMP1001" },
        { "loader-attach", "--healthy", null },
        { "loader-join", "", "DUMP1004" },
        { "cs-cycle2", "", "DUMP1002" },
        { "cs-orphan", "", "DUMP1003" },
        { "resource-cycle", "", "DUMP1002" },
        { "resource-cycle", "--slow-owner", "DUMP9001" },
        { "head-blocker", "", "DUMP1005 Suspected" },
        { "head-blocker", "--healthy", "DUMP9001" },
        { "init-once", "", "DUMP1002" },
        { "process-exit", "", "DUMP1003" },
        { "slow-owner", "", "DUMP9001" },
        { "timed-wait", "", null },
        { "idle", "", null },
        { "join-section", "", "DUMP1002" },
        { "wait-all", "", "DUMP1002" },

        // Wine does not record who owns a mutex, so the honest answer is that this cannot be decided.
        { "mutex-cycle", "", "DUMP9001" },
    };

    /// <summary>Variants of them.</summary>
    public static TheoryData<string, string, string?> FurtherFull => new()
    {
        { "loader-exit", "--victims", "DUMP1001" },
        { "loader-attach", "--spin", "DUMP1001" },
        { "loader-exit", "--healthy", null },
        { "head-blocker", "--few", "DUMP9001" },
        { "init-once", "--slow", "DUMP9001" },
        { "process-exit", "--lock", "DUMP1003" },
        { "address-waits", "", null },
        { "join-section", "--alertable", "DUMP1002 Suspected" },
        { "heap-lock", "", "DUMP1005 Suspected" },
        { "wait-any", "", "DUMP1002" },
        { "process-wait", "", null },
        { "loader-exit", "--owner-word", "DUMP1001" },
        { "loader-attach", "--process-attach", "DUMP1001" },
        { "loader-attach", "--slow-owner", "DUMP9001" },
        { "loader-join", "--healthy", null },
        { "cs-cycle3", "", "DUMP1002" },
        { "resource-cycle", "--readers", null },
        { "head-blocker", "--peb-lock", "DUMP1005 Suspected" },
        { "init-once", "--self", "DUMP1002" },
        { "heap-lock", "--healthy", "DUMP9001" },
        { "process-exit", "--limited", null },
        { "diamond", "", "DUMP9001" },
        { "wait-any", "--open", "DUMP9001" },
        { "outside", "", null },
        { "mutex-section", "", "DUMP9001" },
    };

    public static TheoryData<string, DumpKind> Smaller => new()
    {
        { "loader-exit", DumpKind.Normal },
        { "cs-cycle2", DumpKind.Normal },
    };

    /// <summary>Variants of them.</summary>
    public static TheoryData<string, DumpKind> FurtherSmaller => new()
    {
        { "loader-exit", DumpKind.Small },
        { "loader-exit", DumpKind.Triage },
        { "cs-cycle2", DumpKind.Small },
        { "spin-owner", DumpKind.Triage },
    };

    [SkippableTheory]
    [MemberData(nameof(Full))]
    public void Full_dump_gets_its_verdict(string sample, string option, string? expected)
    {
        Skip.If(WineLab.Shared.Unavailable is not null, WineLab.Shared.Unavailable);
        LabDump dump = WineLab.Shared.Dump(sample, DumpKind.Full, option.Length == 0 ? [] : [option]);
        (int exitCode, JsonElement report) = DumpAnalyze.Json(dump.Path);
        VerdictAssert.Is(expected, exitCode, report);
        RenamedDump.CheckMinidump(dump.Path);
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [MemberData(nameof(FurtherFull))]
    public void Further_full_dump_gets_its_verdict(string sample, string option, string? expected) => Full_dump_gets_its_verdict(sample, option, expected);

    [SkippableTheory]
    [MemberData(nameof(Smaller))]
    public void Smaller_dump_without_the_evidence_says_so(string sample, DumpKind kind)
    {
        Skip.If(WineLab.Shared.Unavailable is not null, WineLab.Shared.Unavailable);
        LabDump dump = WineLab.Shared.Dump(sample, kind);
        (int exitCode, JsonElement report) = DumpAnalyze.Json(dump.Path);
        VerdictAssert.Is("DUMP9001", exitCode, report);
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [MemberData(nameof(FurtherSmaller))]
    public void Further_smaller_dump_without_the_evidence_says_so(string sample, DumpKind kind) => Smaller_dump_without_the_evidence_says_so(sample, kind);

    /// <summary>Wine's SRW locks have another layout than those of Windows, which SlimLockTests shows; like those they have no owner.</summary>
    [SkippableFact]
    public void Crossed_SRW_locks_are_suspected_through_candidates_and_never_called_a_deadlock()
    {
        Skip.If(WineLab.Shared.Unavailable is not null, WineLab.Shared.Unavailable);
        LabDump dump = WineLab.Shared.Dump("srw-cycle", DumpKind.Full);
        (int exitCode, JsonElement report) = DumpAnalyze.Json(dump.Path);
        VerdictAssert.IsSuspected("DUMP1002", exitCode, report);
        VerdictAssert.Cycle(
            report,
            (dump.Thread("first"), $"SlimReaderWriterLock 0x{dump.Addresses["lock-of-second"]:x}"),
            (dump.Thread("second"), $"SlimReaderWriterLock 0x{dump.Addresses["lock-of-first"]:x}"));
        Assert.DoesNotContain("deadlock", report.Member("verdicts").GetRawText(), StringComparison.OrdinalIgnoreCase);
    }

    /// <summary>No dump stores who holds an SRW lock, so that no capture helps: the sleeping owner may or may not hold what the first waits for.</summary>
    [SkippableFact]
    public void A_wait_for_an_SRW_lock_alone_cannot_be_decided()
    {
        Skip.If(WineLab.Shared.Unavailable is not null, WineLab.Shared.Unavailable);
        LabDump dump = WineLab.Shared.Dump("srw-cycle", DumpKind.Full, "--slow-owner");
        (int exitCode, JsonElement report) = DumpAnalyze.Json(dump.Path);
        Assert.Equal(13, exitCode);
        Assert.Empty(report.Member("verdicts").EnumerateArray());
        Assert.True(report.Member("undecidable").GetBoolean());
    }

    /// <summary>std::mutex of libstdc++ is such a mutex; the twin's threads sleep, each with its own.</summary>
    [SkippableTheory]
    [InlineData("", 13)]
    [InlineData("--apart", 0)]
    public void Crossed_mutexes_of_winpthreads_cannot_be_decided(string option, int expected)
    {
        Skip.If(WineLab.Shared.Unavailable is not null, WineLab.Shared.Unavailable);
        LabDump dump = WineLab.Shared.Dump("posix-mutexes", DumpKind.Full, option.Length == 0 ? [] : [option]);
        (int exitCode, JsonElement report) = DumpAnalyze.Json(dump.Path);
        Assert.Empty(report.Member("verdicts").EnumerateArray());
        Assert.Equal(expected, exitCode);
        Assert.Equal(
            expected == 0 ? 0 : 2, report.Member("waits").EnumerateArray()
                .Count(w => w.Member("resource").Member("kind").GetString() == "PosixMutex"));
    }

    [SkippableFact]
    public void An_initialiser_and_its_waiter_are_named_with_what_they_wait_for()
    {
        Skip.If(WineLab.Shared.Unavailable is not null, WineLab.Shared.Unavailable);
        LabDump dump = WineLab.Shared.Dump("init-once", DumpKind.Full);
        (int exitCode, JsonElement report) = DumpAnalyze.Json(dump.Path);
        Assert.Equal(11, exitCode);
        VerdictAssert.Cycle(
            report,
            (dump.Thread("initialising"), $"CriticalSection 0x{dump.Addresses["section"]:x}"),
            (dump.Thread("waiting"), $"OneTimeInitialization 0x{dump.Addresses["once"]:x}"));
    }

    [SkippableTheory]
    [InlineData("", "Event")]
    [InlineData("--lock", "SlimReaderWriterLock")]
    public void The_last_thread_of_an_exiting_process_is_shown_with_the_library_that_waits(string option, string resource)
    {
        Skip.If(WineLab.Shared.Unavailable is not null, WineLab.Shared.Unavailable);
        LabDump dump = WineLab.Shared.Dump("process-exit", DumpKind.Full, option.Length == 0 ? [] : [option]);
        (int exitCode, JsonElement report) = DumpAnalyze.Json(dump.Path);
        Assert.Equal(11, exitCode);
        Assert.Equal([dump.Thread("main")], VerdictAssert.Threads(report));
        Assert.StartsWith(resource, Assert.Single(VerdictAssert.Resources(report)), StringComparison.Ordinal);
        Assert.Equal("exitplug.dll", report.Member("verdicts")[0].Member("culprit").Member("module").GetString());
    }

    [SkippableFact]
    public void Waits_by_address_have_their_addresses_and_limits()
    {
        Skip.If(WineLab.Shared.Unavailable is not null, WineLab.Shared.Unavailable);
        LabDump dump = WineLab.Shared.Dump("address-waits", DumpKind.Full);
        (_, JsonElement report) = DumpAnalyze.Json(dump.Path);
        string[] waits =
        [
            .. report.Member("waits").EnumerateArray()
                .Select(w => (Thread: w.Member("thread").GetUInt32(), Resource: w.Member("resource"), Limit: w.Member("timeout").GetString()))
                .Where(w => w.Thread != dump.Thread("main"))
                .Select(w => $"{w.Resource.Member("kind").GetString()} {w.Resource.Member("identity").GetString()} {w.Limit}")
                    .Order(StringComparer.Ordinal),
        ];
        Assert.Equal(
            [$"Address 0x{dump.Addresses["word"]:x} Finite", $"Address 0x{dump.Addresses["word"]:x} Infinite",
                $"ConditionVariable 0x{dump.Addresses["condition"]:x} Infinite"],
            waits);
    }

    [SkippableFact]
    public void Head_blocker_names_the_owner_its_lock_and_everyone_behind_it()
    {
        Skip.If(WineLab.Shared.Unavailable is not null, WineLab.Shared.Unavailable);
        LabDump dump = WineLab.Shared.Dump("head-blocker", DumpKind.Full);
        (int exitCode, JsonElement report) = DumpAnalyze.Json(dump.Path);
        Assert.Equal(12, exitCode);
        Assert.Equal([dump.Thread("owner")], VerdictAssert.Threads(report));
        Assert.Equal($"CriticalSection 0x{dump.Addresses["lock"]:x}", VerdictAssert.Resources(report)[0]);
        Assert.Equal(5, dump.Threads["waiter"].Count);
        Assert.Equal(dump.Threads["waiter"].Order(), VerdictAssert.Victims(report));
    }

    [SkippableFact]
    public void The_lock_of_the_process_environment_block_is_named()
    {
        Skip.If(WineLab.Shared.Unavailable is not null, WineLab.Shared.Unavailable);
        LabDump dump = WineLab.Shared.Dump("head-blocker", DumpKind.Full, "--peb-lock");
        (_, JsonElement report) = DumpAnalyze.Json(dump.Path);
        Assert.Equal([dump.Thread("owner")], VerdictAssert.Threads(report));
        Assert.Equal(
            $"the PEB lock (critical section 0x{dump.Addresses["lock"]:x})",
            report.Member("verdicts")[0].Member("chain")[0].Member("text").GetString());
    }

    [SkippableFact]
    public void Victims_of_a_loader_deadlock_are_called_what_they_were_about_to_do()
    {
        Skip.If(WineLab.Shared.Unavailable is not null, WineLab.Shared.Unavailable);
        LabDump dump = WineLab.Shared.Dump("loader-exit", DumpKind.Full, "--victims");
        (_, JsonElement report) = DumpAnalyze.Json(dump.Path);
        Assert.Equal(dump.Threads["victim-start"].Order(), VerdictAssert.Victims(report, "StartingThread"));
        Assert.Equal(dump.Threads["victim-exit"].Order(), VerdictAssert.Victims(report, "ExitingThread"));
        Assert.Equal(dump.Threads["victim-load"].Order(), VerdictAssert.Victims(report, "Thread"));
    }

    [SkippableFact]
    public void Lock_word_that_holds_the_owners_id_confirms_the_deadlock()
    {
        Skip.If(WineLab.Shared.Unavailable is not null, WineLab.Shared.Unavailable);
        LabDump dump = WineLab.Shared.Dump("loader-exit", DumpKind.Full, "--owner-word");
        (int exitCode, JsonElement report) = DumpAnalyze.Json(dump.Path);
        Assert.Equal(10, exitCode);
        Assert.Equal(new[] { dump.Thread("exiting"), dump.Thread("loading") }.Order(), VerdictAssert.Threads(report));
    }
}
