using System.Collections.Immutable;
using Dump.Analysis;
using Dump.Model.Process;
using Dump.Model.Reported;
using Dump.Model.Verdicts;
using Dump.Reports.Tests.Scenes;
using Dump.Testing;
using Dump.Testing.Renaming;
using static Dump.Reports.Tests.Scenes.SceneBuilder;

namespace Dump.Reports.Tests;

/// <summary>The tree of waits says every wait once, whatever its shape, and fits a screen.</summary>
public sealed class ChainTreeTests
{
    private const int ScreenLines = 50;

    public static TheoryData<string> Shapes => [.. ChainScenes.Named.Keys];

    public static TheoryData<string> Scenes => [.. NamedScenes.All.Keys];

    [Theory]
    [InlineData("forty-waiters", 12)]
    [InlineData("forty-waiters-everywhere", ScreenLines)]
    public void Forty_waiters_fit_a_screen(string shape, int most)
    {
        string text = ReportTexts.Chains(ChainScenes.Named[shape](), null);
        Assert.Contains("40 threads wait behind it", text, StringComparison.Ordinal);
        Assert.InRange(text.Split('\n').Length - 1, 5, most);
    }

    [Theory]
    [MemberData(nameof(Shapes))]
    public void Shape_says_every_wait_once_in_any_order_of_threads(string shape)
    {
        ProcessSnapshot snapshot = ChainScenes.Named[shape]();
        Check(snapshot);
        RenamingCheck.Run(snapshot, s => WaitChains.Find(s, null));
        Assert.Empty(JsonSchemaCheck.Errors(ReportTexts.ChainsJson(snapshot)));
        ProcessSnapshot other = snapshot with
        {
            Threads = [.. snapshot.Threads.Reverse()], Waits = [.. snapshot.Waits.Reverse()], Ownerships = [.. snapshot.Ownerships.Reverse()],
        };
        Assert.Equal(Branches(WaitTrees.Find(snapshot)), Branches(WaitTrees.Find(other)));
    }

    [Theory]
    [MemberData(nameof(Scenes))]
    public void Scene_says_every_wait_once(string name) => Check(NamedScenes.All[name]().Snapshot);

    /// <summary>The end of a chain of thousands is written without running out of stack, and what is not shown is counted.</summary>
    [Fact]
    public void Chain_of_thousands_is_cut_off_with_a_count()
    {
        const int Length = 5000;
        SceneBuilder scene = new();
        for (uint i = 1; i <= Length; i++)
        {
            scene.Waiting(4 * i, "server!Next+0x10").Own(Section(0xA0_0000 + (0x28UL * i)), 4 * i).Wait(4 * i, Section(0xA0_0000 + (0x28UL * (i - 1))));
        }

        ProcessSnapshot snapshot = scene.Build();
        ImmutableArray<WaitTreeNode> tree = WaitTrees.Find(snapshot);
        Assert.Equal(Length, tree.Length);
        Assert.Equal(Enumerable.Range(-1, Length), tree.Select(n => n.Parent ?? -1));
        Assert.Equal(Length - 1, tree[0].Behind);
        ChainDocument document = ListDocuments.Chains(snapshot, [new WaitChain(4, [], false)], tree);
        string text = ReportTexts.Text(output => ChainsReport.Write(document, output, TextStyle.Plain));
        Assert.Contains("(4979 more threads; --format json has all of them)", text, StringComparison.Ordinal);
    }

    [Fact]
    public void Wait_that_may_end_is_no_cycle_that_lasts()
    {
        ImmutableArray<WaitTreeNode> tree = WaitTrees.Find(ChainScenes.TwoCycles());
        Assert.Equal([(0x108u, (int?)0, (bool?)true), (0x10Cu, 0, true), (0x100u, 1, false), (0x104u, 1, false)],
            tree.Select(n => (n.Threads[0], n.Cycle, n.IsLasting)));
    }

    /// <summary>Asserts that each edge of each chain is in the tree, that no wait is there twice, and that parents come first.</summary>
    private static void Check(ProcessSnapshot snapshot)
    {
        ImmutableArray<WaitTreeNode> tree = WaitTrees.Find(snapshot);
        (uint Thread, string Wait)[] said = [.. tree.SelectMany(n => n.Threads.SelectMany(t => n.Links.Select(l => (t, Words(l)))))];
        Assert.Equal(said.Distinct(), said);
        IEnumerable<(uint, string)> links = WaitChains.Find(snapshot, null).SelectMany(c => c.Links).Select(l => (l.ThreadId, Words(l))).Distinct();
        Assert.Empty(links.Except(said));
        Assert.Equal(Enumerable.Range(0, tree.Length), tree.Select(n => n.Node));
        Assert.All(tree, n => Assert.True((n.Parent ?? -1) < n.Node));
        Assert.All(tree.Where(n => n.Parent is not null),
            n => Assert.Equal(Assert.Single(n.Links).HolderThreadId, tree[n.Parent!.Value].Threads.DefaultIfEmpty().Single()));
        Assert.All(tree.GroupBy(n => n.Cycle).Where(g => g.Key is not null), cycle => Assert.Equal(
            cycle.Skip(1).Append(cycle.First()).Select(n => n.Threads.Single()), cycle.Select(n => n.Links.Single().HolderThreadId!.Value)));
    }

    private static string Words(ChainLink link) => $"{link.Resource} {link.HolderThreadId:x} {link.HolderDescription}";

    /// <summary>Every node without numbers, which depend on the order of the dump.</summary>
    private static string[] Branches(ImmutableArray<WaitTreeNode> tree) =>
    [
        .. tree.Select(n => $"{Ids(n)} below {(n.Parent is { } parent ? Ids(tree[parent]) : "nothing")}, "
                + $"cycle {n.Cycle is not null} {n.IsLasting}, {n.Behind} behind")
            .Order(StringComparer.Ordinal),
    ];

    private static string Ids(WaitTreeNode node) => $"{string.Join(' ', node.Threads.Order().Select(t => $"{t:x}"))}{node.HolderDescription}";
}
