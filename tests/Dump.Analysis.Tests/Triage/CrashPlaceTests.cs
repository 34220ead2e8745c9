using System.Collections.Immutable;
using System.Globalization;
using Dump.Analysis.Merging;
using Dump.Model.Facts;
using Dump.Model.Merging;
using Dump.Model.Process;
using Dump.Model.Reported;

namespace Dump.Analysis.Tests.Triage;

/// <summary>Dumps of one crash that were written in two ways are one bucket; two crashes stay two.</summary>
public sealed class CrashPlaceTests
{
    private const string Violation = "0xc0000005";

    [Fact]
    public void Small_and_full_dump_of_one_crash_are_one_bucket()
    {
        TriageBucket bucket = Assert.Single(Hangs(Crash(1, Violation, ("shop.exe", "Cart.Add", 0x20), ("shop.exe", "main", 0x90)),
            Crash(2, Violation, ("shop.exe", null, 0x20))));
        Assert.Equal(2, bucket.Records.Length);
        Assert.Equal("DUMP8001\nfails with 0xc0000005: shop!Cart.Add < shop!main", bucket.Signature.ClassText);
        Assert.False(bucket.IsPerhapsSeveral);
    }

    /// <summary>Another instruction, another exception, another build: each is a crash of its own.</summary>
    [Fact]
    public void Other_places_exceptions_and_builds_stay_apart() => Assert.Equal(4, Hangs(
        Crash(1, Violation, ("shop.exe", "Cart.Add", 0x20)),
        Crash(2, Violation, ("shop.exe", null, 0x28)),
        Crash(3, "0xc0000094", ("shop.exe", null, 0x20)),
        CrashOf("3:4", 4, Violation, ("shop.exe", null, 0x20))).Length);

    /// <summary>Two functions call the one that fails: which of them a small dump is of is unknown.</summary>
    [Fact]
    public void Small_dump_of_one_of_two_crashes_is_in_neither_bucket() => Assert.Equal(3, Hangs(
        Crash(1, Violation, ("shop.exe", "Cart.Add", 0x20), ("shop.exe", "Buy", 0x90)),
        Crash(2, Violation, ("shop.exe", "Cart.Add", 0x20), ("shop.exe", "Import", 0x70)),
        Crash(3, Violation, ("shop.exe", null, 0x20))).Length);

    [Fact]
    public void Without_names_two_places_are_two_buckets() => Assert.Equal(
        ["DUMP8001\nfails with 0xc0000005: shop+0x20", "DUMP8001\nfails with 0xc0000005: shop+0x28"],
        Hangs(Crash(1, Violation, ("shop.exe", null, 0x20)), Crash(2, Violation, ("shop.exe", null, 0x28)), Crash(3, Violation, ("shop.exe", null, 0x20)))
            .Select(b => b.Signature.ClassText).Order(StringComparer.Ordinal));

    /// <summary>Which of the functions by which exceptions are thrown stand on a stack depends on the writer; so does a wait for the program that writes.</summary>
    [Fact]
    public void Functions_that_throw_and_stubs_do_not_count() => Assert.Single(Hangs(
        Crash(1, "System.Exception", ("kernelbase.dll", "RaiseException", 0x10), ("shop.dll", "Cart.Add", 0x20)),
        Crash(2, "System.Exception", ("ntdll.dll", "NtWaitForSingleObject", 0x14), ("system.private.corelib.dll", "System.Runtime.EH.DispatchEx", 0x5),
            ("shop.dll", "Cart.Add", 0x20)),
        Crash(5, "System.Exception", ("ntdll.dll", "NtWaitForSingleObject", 0x14), ("kernelbase.dll", "WaitForSingleObject", 0x9e), ("coreclr.dll", null, 0x77),
            ("shop.dll", "Cart.Add", 0x20)),
        Crash(3, "System.Exception", ("shop.dll", ".IL_STUB_PInvoke", 0x1), ("shop.dll", "Cart.Add", 0x20)),
        Crash(4, "System.Exception", ("shop.dll", "Cart.Add", 0x20))));

    private static ImmutableArray<TriageBucket> Hangs(params TriageRecord[] records) => TriageOverviews.Of(records).Hangs;

    private static TriageRecord Crash(int number, string failure, params (string Module, string? Function, ulong Offset)[] frames) =>
        CrashOf("1:2", number, failure, frames);

    private static TriageRecord CrashOf(string build, int number, string failure, params (string Module, string? Function, ulong Offset)[] frames) => new()
    {
        Identity = number.ToString("x64", CultureInfo.InvariantCulture),
        Source = new TriageSource(string.Create(CultureInfo.InvariantCulture, $"{number}.dmp"), null, 5),
        Outcome = TriageOutcome.Analysed,
        Tool = "test 1",
        Report = new HangReport
        {
            Source = new ReportedSource("a.dmp", "test", null, null, null),
            Process = new ReportedProcess { Name = "shop.exe" },
            Modules = [.. frames.Select(f => f.Module).Distinct().Select(m => new ReportedModule(m, null, null, null) { Build = build })],
            Verdicts =
            [
                new ReportedVerdict
                {
                    DetectorId = "DUMP8001",
                    Title = "Crashed, not hung",
                    Confidence = Confidence.Likely,
                    Failure = failure,
                    Threads = [(uint)number],
                    Stacks =
                    [
                        new ReportedStack((uint)number, null,
                            [
                                .. frames.Select((f, i) => new ReportedFrame(
                                    i, f.Module, f.Function, null, f.Offset, i == 0 ? FrameTrust.Context : FrameTrust.UnwindInfo)),
                            ]),
                    ],
                },
            ],
        },
    };
}
