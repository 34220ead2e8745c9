using System.Collections.Immutable;
using System.Globalization;
using Dump.Analysis;
using Dump.Analysis.Merging;
using Dump.Analysis.Names;
using Dump.Model.Merging;
using Dump.Model.Process;
using Dump.Model.Reported;
using Dump.Model.Verdicts;
using Dump.Reports.Tests.Scenes;
using Dump.Testing.Renaming;

namespace Dump.Reports.Tests;

/// <summary>
/// What two dumps of one hang have in common, over every scene and fixture: another run of the program has the same signature, another defect another one.
/// </summary>
public sealed class SignatureTests
{
    private const int Copies = 50, CopiesOfEach = 16;

    /// <summary>
    /// Pictures of one defect: equal but for confidence, for what is known besides, or for what the signature leaves out on purpose (whether threads queue
    /// behind it, how the runtime reacts).
    /// </summary>
    private static readonly string[][] s_same =
    [
        ["scenes/load-ownership-likely", "scenes/loader-lock-suspected"],
        ["scenes/mutex-cycle", "scenes/mutex-cycle-unknown-time-limit"],
        ["scenes/managed-sync-over-async", "scenes/managed-sync-over-async-suspected"],
        ["scenes/managed-pool-starvation", "scenes/managed-pool-starvation-growing"],
        ["scenes/managed-dictionary-cycle-spins", "scenes/managed-dictionary-cycle-throws"],
        ["scenes/pair-deadlock-stands-still", "scenes/pair-deadlock-that-moved"],
        ["scenes/runaway-that-computes", "scenes/detector-failed-beside-verdict"],
        ["scenes/ui-driver-call", "scenes/ui-driver-call-hung"],
        ["fixtures/loader-exit", "fixtures/loader-exit-victims"],
        ["fixtures/cs-cycle2", "fixtures/cs-cycle2-torn"],
        ["fixtures/runaway", "fixtures/runaway-torn"],
    ];

    private static IEnumerable<string> All => NamedScenes.All.Keys.Where(n => !n.StartsWith("damaged/", StringComparison.Ordinal));

    public static TheoryData<string> Names => [.. All];

    [Theory]
    [MemberData(nameof(Names))]
    public void Signature_does_not_depend_on_ids_addresses_and_order(string name)
    {
        ProcessSnapshot snapshot = SnapshotOf(name);
        HangSignature? signature = Of(snapshot);
        foreach (RenamingManner manner in Enum.GetValues<RenamingManner>())
        {
            for (int seed = 0; seed < CopiesOfEach; seed++)
            {
                Assert.Equal(signature, Of(new ProcessRenaming(seed, manner, snapshot).Apply(snapshot)));
            }
        }
    }

    [Fact]
    public void Each_defect_has_a_bucket_of_its_own()
    {
        Dictionary<string, string> hashes = All.Select(n => (Name: n, Scene: SceneOf(n)))
            .Select(s => (s.Name, Report: HangReports.Of(s.Scene.Snapshot, s.Scene.Result, false)))
            .Where(s => !s.Report.Verdicts.IsEmpty)
            .ToDictionary(s => s.Name, s => HangSignatures.Of(s.Report)!.ClassHash);
        Assert.All(s_same, group => Assert.Single(group.Select(n => hashes[n]).Distinct()));
        string[][] buckets = [.. hashes.GroupBy(h => h.Value).Select(g => g.Select(h => h.Key).Order(StringComparer.Ordinal).ToArray())];
        string[] mixed = [.. buckets.Where(b => b.Length > 1 && !s_same.Any(g => g.Order(StringComparer.Ordinal).SequenceEqual(b)))
            .Select(b => string.Join(" + ", b))];
        Assert.Empty(mixed);
        Assert.True(buckets.Length >= 20, string.Create(CultureInfo.InvariantCulture, $"{buckets.Length} buckets"));
    }

    [Fact]
    public void Fifty_dumps_of_one_hang_and_twenty_of_others_are_twenty_one_buckets()
    {
        string[] others = [.. All.Except(s_same.SelectMany(g => g)).Where(n => !SceneOf(n).Result.Verdicts.IsEmpty && !HangAnalysis.Run(SnapshotOf(n))
            .Verdicts.IsEmpty).Take(20)];
        ProcessSnapshot one = SnapshotOf("fixtures/loader-exit-victims");
        IEnumerable<ProcessSnapshot> copies = Enumerable.Range(1, Copies).Select(seed => new ProcessRenaming(seed, RenamingManner.Arbitrary, one).Apply(one));
        TriageRecord[] records = [.. copies.Concat(others.Select(SnapshotOf)).Select(Record)];
        TriageOverview overview = TriageOverviews.Of(records);
        Assert.Equal(20, others.Length);
        Assert.Equal(21, overview.Hangs.Length);
        Assert.Equal(Copies, overview.Hangs.Max(b => b.Records.Length));
        Assert.Empty(overview.Others);
        Random random = new(7);
        for (int i = 0; i < 5; i++)
        {
            random.Shuffle(records);
            Assert.Equal(Text(overview), Text(TriageOverviews.Of(records)));
        }
    }

    [Fact]
    public void Suspected_deadlock_and_its_confirmed_twin_are_one_class_and_two_versions_are_two_instances()
    {
        HangReport report = ReportOf("scenes/mutex-cycle");
        HangReport newer = report with { Modules = [.. report.Modules.Select(m => m with { Version = "99.0" })] };
        Assert.Equal(HangSignatures.Of(report)!.ClassHash, HangSignatures.Of(newer)!.ClassHash);
        Assert.NotEqual(HangSignatures.Of(report)!.InstanceHash, HangSignatures.Of(newer)!.InstanceHash);
    }

    [Fact]
    public void Guessed_frames_victims_and_offsets_do_not_count_and_function_names_do()
    {
        HangReport report = ReportOf("scenes/mutex-cycle");
        HangSignature signature = HangSignatures.Of(report)!;
        ReportedFrame guess = new(0, "other.dll", "Other", 1, 2, FrameTrust.Scan);
        Assert.Equal(signature, HangSignatures.Of(WithFrames(report, s => s.Insert(1, guess))));
        Assert.Equal(signature, HangSignatures.Of(WithFrames(report, s =>
            [.. s.Select(f => f with { FunctionOffset = f.FunctionOffset + 77, ModuleOffset = f.ModuleOffset + 77 })])));
        Assert.Equal(signature, HangSignatures.Of(report with { Verdicts = [report.Verdicts[0] with { Victims = [new VictimGroup([1, 2, 3], "wait")] }] }));
        Assert.NotEqual(signature.ClassHash, HangSignatures.Of(WithFrames(report, s => s.Insert(1, guess with { Trust = FrameTrust.UnwindInfo })))!.ClassHash);
        Assert.NotEqual(signature.ClassHash, HangSignatures.Of(WithFrames(report, s =>
            [.. s.Select(f => f.Function == "Audit" ? f with { Function = "Report" } : f)]))!.ClassHash);
    }

    /// <summary>One dump is read with PDB files and another without: it is one hang.</summary>
    [Fact]
    public void Lines_do_not_count()
    {
        ProcessSnapshot lines = SnapshotOf("scenes/managed-source-lines");
        ProcessSnapshot bare = lines with
        {
            Threads = [.. lines.Threads.Select(t => t with { Stack = t.Stack with { Frames = [.. t.Stack.Frames.Select(f => f with { Source = null })] } })],
        };
        Assert.NotEqual(lines.Threads[0].Stack.Frames[1], bare.Threads[0].Stack.Frames[1]);
        Assert.Equal(Of(bare), Of(lines));
    }

    /// <summary>
    /// The picture may catch the handler of what the collection throws: then the function that called the collection stands on both sides of it.
    /// </summary>
    [Fact]
    public void Handler_further_in_than_the_collection_does_not_count_and_its_caller_does()
    {
        HangReport report = ReportOf("scenes/managed-dictionary-cycle-throws");
        HangSignature signature = HangSignatures.Of(report)!;
        ReportedFrame caller = report.Verdicts[0].Stacks[0].Frames.First(f => f.Function == "Shop.Prices.Find");
        ReportedFrame yield = caller with { Module = "System.Private.CoreLib.dll", Function = "System.Threading.Thread.Yield" };
        Assert.Contains(FunctionNames.Normal(caller.Function!)!, signature.ClassText, StringComparison.Ordinal);
        Assert.Equal(signature, HangSignatures.Of(WithFrames(report, s => [yield, caller, .. s])));
        Assert.NotEqual(signature.ClassHash, HangSignatures.Of(WithFrames(report, s => [.. s.Where(f => f.Function != caller.Function)]))!.ClassHash);
    }

    [Fact]
    public void Without_verdict_the_thread_to_look_at_is_the_class_and_without_such_a_thread_there_is_none()
    {
        HangReport report = ReportOf("fixtures/timed-wait");
        HangSignature signature = HangSignatures.Of(report)!;
        Assert.Equal(SignatureKind.Stack, signature.Kind);
        Assert.Equal("no verdict\nSleep\nhang!?", signature.ClassText);
        Assert.Null(HangSignatures.Of(report with { Focus = null }));
    }

    private static HangReport WithFrames(HangReport report, Func<ImmutableArray<ReportedFrame>, ImmutableArray<ReportedFrame>> change) =>
        report with { Verdicts = [.. report.Verdicts.Select(v => v with { Stacks = [.. v.Stacks.Select(s => s with { Frames = change(s.Frames) })] })] };

    private static string Text(TriageOverview overview) => string.Join(
        '\n', overview.Hangs.Select(b =>
            $"{b.Signature.ClassHash} {b.Title} {b.Records.Length} {b.Records[0].Identity} {string.Join(',', b.Records.Select(r => r.Identity))}"));

    private static TriageRecord Record(ProcessSnapshot snapshot, int index) => new()
    {
        Identity = index.ToString("x64", CultureInfo.InvariantCulture),
        Source = new TriageSource(string.Create(CultureInfo.InvariantCulture, $"{index}.dmp"), null, null),
        Outcome = TriageOutcome.Analysed,
        Tool = "test",
        Report = HangReports.Of(snapshot, HangAnalysis.Run(snapshot), false),
    };

    private static HangSignature? Of(ProcessSnapshot snapshot) => HangSignatures.Of(HangReports.Of(snapshot, HangAnalysis.Run(snapshot), false));

    private static HangReport ReportOf(string name) => SceneOf(name) is var scene ? HangReports.Of(scene.Snapshot, scene.Result, false) : null!;

    private static ProcessSnapshot SnapshotOf(string name) => SceneOf(name).Snapshot;

    private static Scene SceneOf(string name) => NamedScenes.All[name]();
}
