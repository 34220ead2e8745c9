using System.Globalization;
using Dump.Analysis;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Reports.Tests.Scenes;
using Dump.Testing.Fixtures;
using Dump.Testing.Renaming;

namespace Dump.Reports.Tests;

/// <summary>
/// No finding changes when threads are reordered, ids renumbered or modules rebased: on every fixture and every scene, as facts and as bytes of the file.
/// </summary>
public sealed class RenamingTests
{
    private static readonly int[] s_seeds = [3, 1_009, 77_777];

    public static TheoryData<string> Fixtures => [.. Fixture.All.Select(f => f.Name)];

    public static TheoryData<string> Scenes => [.. NamedScenes.Made.Keys];

    [Theory]
    [MemberData(nameof(Fixtures))]
    public void Renamed_process_of_a_fixture_is_judged_alike(string name) => Check(Read(File.ReadAllBytes(Fixture.Named(name).Path)));

    [Theory]
    [MemberData(nameof(Scenes))]
    public void Renamed_scene_is_judged_alike(string name)
    {
        ProcessSnapshot snapshot = NamedScenes.Made[name]().Snapshot;
        Check(snapshot with { Source = snapshot.Source with { DisplayName = name } });
    }

    [Theory]
    [MemberData(nameof(Fixtures))]
    public void Fixture_whose_lists_stand_in_another_order_is_judged_alike(string name)
    {
        byte[] bytes = File.ReadAllBytes(Fixture.Named(name).Path);
        ProcessSnapshot snapshot = Read(bytes);
        foreach (int seed in s_seeds)
        {
            ProcessSnapshot other = Read(PermutedMinidump.Of(bytes, new Random(seed)));
            RenamingCheck.Same(snapshot, other, s => HangAnalysis.Run(s), string.Create(CultureInfo.InvariantCulture, $"{name}, file, seed {seed}"));
        }
    }

    /// <summary>The other tests prove nothing where nothing was renamed.</summary>
    [Fact]
    public void Renaming_changes_threads_modules_stacks_and_locks_and_leads_back()
    {
        ProcessSnapshot snapshot = Read(File.ReadAllBytes(Fixture.Named("loader-exit-victims").Path));
        ProcessRenaming renaming = new(5, RenamingManner.Arbitrary, snapshot);
        ProcessSnapshot renamed = renaming.Apply(snapshot);
        Assert.Empty(renamed.Threads.Select(t => t.Id).Intersect(snapshot.Threads.Select(t => t.Id)));
        Assert.Empty(renamed.Modules.Select(m => m.BaseAddress).Intersect(snapshot.Modules.Select(m => m.BaseAddress)));
        Assert.NotEqual(snapshot.Modules.Select(m => m.Name), renamed.Modules.Select(m => m.Name));
        Assert.NotEqual(snapshot.Threads.Select(t => t.Teb), renamed.Threads.Select(t => t.Teb));
        Assert.Empty(renamed.Ownerships.Select(o => o.Resource.Identity).Intersect(snapshot.Ownerships.Select(o => o.Resource.Identity)));
        foreach (ThreadSnapshot thread in renamed.Threads)
        {
            ThreadSnapshot original = snapshot.Threads.Single(t => t.Id == renaming.Back(thread).Id);
            Assert.Equal(original.Stack.Frames.Select(f => f with { }), renaming.Back(thread).Stack.Frames);
            Assert.All(thread.Stack.Frames.Where(f => f.ModuleOffset is not null), f =>
                Assert.Equal(f.InstructionPointer, renamed.Modules.Single(m => m.Contains(f.InstructionPointer)).BaseAddress + f.ModuleOffset));
        }
    }

    [Fact]
    public void Every_number_of_the_model_has_a_role_and_every_role_a_number()
    {
        string[] members =
        [
            .. MemberRoles.Reachable(typeof(ProcessSnapshot), typeof(AnalysisResult), typeof(WaitChain))
                .SelectMany(MemberRoles.Stored).Where(MemberRoles.HoldsNumbers).Select(MemberRoles.NameOf).Order(StringComparer.Ordinal),
        ];
        Assert.Equal(members, MemberRoles.Known.Order(StringComparer.Ordinal));
        Assert.Contains("ThreadSnapshot.Id", members);
    }

    private static void Check(ProcessSnapshot snapshot)
    {
        RenamingCheck.Run(snapshot, s => HangAnalysis.Run(s));
        RenamingCheck.Run(snapshot, s => WaitChains.Find(s, null));
    }

    private static ProcessSnapshot Read(byte[] bytes) => NamedScenes.Read(bytes, "renamed.dmp").Snapshot;
}
