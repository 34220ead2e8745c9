using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Reported;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Reports.Html.Graph;
using Dump.Reports.Tests.Scenes;
using Dump.Testing.Fixtures;

namespace Dump.Reports.Tests.Html;

/// <summary>The drawn wait graph: nothing overlaps, nothing lies outside, lines run past other nodes, and what is drawn is what the chain says.</summary>
public sealed class WaitGraphDrawingTests
{
    private const int LongestLine = 28;

    public static TheoryData<string> Scenes => [.. NamedScenes.Made.Keys];

    public static TheoryData<string> Fixtures => [.. Fixture.All.Select(f => f.Name)];

    public static TheoryData<string, int> Chains
    {
        get
        {
            TheoryData<string, int> data = [];
            foreach (string shape in (string[])["cycle", "path", "queue", "any", "tail", "joins", "anonymous", "orphan"])
            {
                for (int links = 1; links <= 50; links++)
                {
                    data.Add(shape, links);
                }
            }

            return data;
        }
    }

    [Theory]
    [MemberData(nameof(Scenes))]
    public void Picture_of_a_scene_is_sound(string name) => CheckAll(HangReports.Of(NamedScenes.Made[name]().Snapshot, NamedScenes.Made[name]().Result, false));

    [Theory]
    [MemberData(nameof(Fixtures))]
    public void Picture_of_a_fixture_is_sound(string name)
    {
        Scene scene = NamedScenes.Read(File.ReadAllBytes(Fixture.Named(name).Path), name);
        CheckAll(HangReports.Of(scene.Snapshot, scene.Result, false));
    }

    [Theory]
    [MemberData(nameof(Chains))]
    public void Picture_of_a_chain_of_any_length_is_sound(string shape, int links)
    {
        WaitGraphPicture picture = Draw([.. Enumerable.Range(0, links).Select(i => Link(shape, i, links))]);
        Check(picture);
        Assert.InRange(picture.Nodes.Length, 1, 26);
        WaitGraphNode[] more = [.. picture.Nodes.Where(n => n.Kind == WaitGraphNodeKind.More)];
        Assert.Equal(links > 12 ? [$"\u2026 {links - 11} more links"] : [], more.SelectMany(n => n.Labels));
    }

    [Fact]
    public void Deadlock_of_two_is_a_square_with_four_arrows_that_lead_back_to_the_first_thread()
    {
        WaitGraphPicture picture = Draw([Link("cycle", 0, 2), Link("cycle", 1, 2)]);
        Assert.Equal([WaitGraphNodeKind.Thread, WaitGraphNodeKind.Resource, WaitGraphNodeKind.Thread, WaitGraphNodeKind.Resource],
            picture.Nodes.Select(n => n.Kind));
        Assert.Equal([(0, 1), (1, 2), (2, 3), (3, 0)], picture.Lines.Select(l => (l.From, l.To)));
        Assert.Equal(2, picture.Nodes.Select(n => n.X).Distinct().Count());
        Assert.Equal(["waits for", "held by", "waits for", "held by"], picture.Lines.Select(l => l.Label));
        Assert.EndsWith(", a cycle", picture.Title, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(Grade.Proven, ResourceKind.CriticalSection, "held by")]
    [InlineData(Grade.Derived, ResourceKind.CriticalSection, "most likely held by")]
    [InlineData(Grade.Derived, ResourceKind.SpinLock, "most likely held by")]
    [InlineData(Grade.Suspected, ResourceKind.CriticalSection, "possibly held by")]
    [InlineData(Grade.Suspected, ResourceKind.SlimReaderWriterLock, "possibly held by")]
    public void Edges_say_how_well_they_are_known(Grade grade, ResourceKind kind, string label)
    {
        WaitGraphPicture picture = Draw([Link("path", 0, 2) with { Grade = grade, Resource = new Resource(kind, 0x1000) }]);
        Assert.All(picture.Lines, l => Assert.Equal(grade, l.Grade));
        Assert.Contains(picture.Lines, l => l.Label == label);
        Assert.Contains($"[{grade}]", picture.Description, StringComparison.Ordinal);
    }

    /// <summary>Two threads that each wait for something that could not be identified do not wait for the same thing.</summary>
    [Fact]
    public void Unidentified_resources_of_different_threads_are_different_nodes()
    {
        WaitGraphPicture picture = Draw([Link("anonymous", 0, 2), Link("anonymous", 1, 2)]);
        Assert.Equal(2, picture.Nodes.Count(n => n.Kind == WaitGraphNodeKind.Resource));
    }

    [Fact]
    public void Load_ownership_is_one_node_for_all_who_wait_for_it()
    {
        WaitGraphPicture picture = Draw([.. Enumerable.Range(0, 3).Select(i =>
            Link("anonymous", i, 3) with { Resource = new Resource(ResourceKind.LoadOwnership, 0) })]);
        Assert.Single(picture.Nodes, n => n.Kind == WaitGraphNodeKind.Resource);
    }

    [Fact]
    public void Holder_that_no_longer_exists_is_no_thread_of_the_picture()
    {
        WaitGraphPicture picture = Draw([Link("orphan", 0, 1)]);
        WaitGraphNode holder = Assert.Single(picture.Nodes, n => n.Kind == WaitGraphNodeKind.Foreign);
        Assert.Contains("no longer exists", holder.Labels);
    }

    [Fact]
    public void Verdict_without_chain_has_no_picture() => Assert.Null(WaitGraphDrawing.Draw(Report(), Verdict([])));

    private static ChainLink Link(string shape, int i, int count)
    {
        Resource section = new(ResourceKind.CriticalSection, 0x7FF6_0000_A000 + ((ulong)i * 0x40));
        ChainLink link = new((uint)(0x100 + i), section, $"critical section 0x{section.Identity:x}", (uint)(0x101 + i), true, Grade.Proven,
            WaitTimeout.Infinite, []);
        return shape switch
        {
            "cycle" => link with { HolderThreadId = (uint)(0x100 + ((i + 1) % count)) },
            "path" => i == count - 1 ? link with { HolderThreadId = null } : link,
            "queue" => link with { Resource = new Resource(ResourceKind.CriticalSection, 0x1000), HolderThreadId = 0x900 },
            "any" => link with { ThreadId = 0x100, HolderThreadId = i % 2 == 0 ? null : (uint)(0x200 + i), IsWaitAny = true },
            "tail" => link with { HolderThreadId = (uint)(0x100 + (i == count - 1 ? count / 2 : i + 1)) },
            "joins" => i % 2 == 0 ? link with { Resource = new Resource(ResourceKind.Thread, link.HolderThreadId!.Value), ResourceText =
                "the end of the other thread" } : link,
            "anonymous" => link with { Resource = new Resource(ResourceKind.Unknown, 0), ResourceText =
                "something that could not be identified, whatever that may be in the end", HolderThreadId = null },
            _ => link with { HolderThreadId = 0x6F0, HolderIsAlive = false },
        };
    }

    private static void CheckAll(HangReport report)
    {
        foreach (ReportedVerdict verdict in report.Verdicts)
        {
            WaitGraphPicture? picture = WaitGraphDrawing.Draw(report, verdict);
            Assert.Equal(verdict.Chain.IsEmpty, picture is null);
            if (picture is not null)
            {
                Check(picture);
            }
        }
    }

    private static HangReport Report() => new() { Source = new ReportedSource("a.dmp", "Windows minidump", null, null, null) };

    private static ReportedVerdict Verdict(ImmutableArray<ChainLink> chain) =>
        new() { DetectorId = "DUMP1002", Title = "Lock-cycle deadlock", Confidence = Confidence.Confirmed, Chain = chain };

    private static WaitGraphPicture Draw(ImmutableArray<ChainLink> chain)
    {
        WaitGraphPicture picture = WaitGraphDrawing.Draw(Report(), Verdict(chain))!;
        WaitGraphPicture again = WaitGraphDrawing.Draw(Report(), Verdict(chain))!;
        Assert.Equal(System.Text.Json.JsonSerializer.Serialize(picture.Nodes), System.Text.Json.JsonSerializer.Serialize(again.Nodes));
        return picture;
    }

    private static void Check(WaitGraphPicture picture)
    {
        for (int i = 0; i < picture.Nodes.Length; i++)
        {
            WaitGraphNode node = picture.Nodes[i];
            Assert.True(IsInside(picture, node.X, node.Y) && IsInside(picture, node.X + node.Width, node.Y + node.Height), $"node {i} lies outside");
            Assert.All(node.Labels, label => Assert.InRange(label.Length, 1, LongestLine));
            for (int other = 0; other < i; other++)
            {
                Assert.False(Overlap(node, picture.Nodes[other]), $"nodes {other} and {i} overlap");
            }
        }

        foreach (WaitGraphLine line in picture.Lines)
        {
            Assert.InRange(line.Points.Length, 2, 5);
            Assert.All(line.Points, p => Assert.True(IsInside(picture, p.X, p.Y), "a line leaves the picture"));
            Assert.True(IsOnBorder(picture.Nodes[line.From], line.Points[0]), "a line does not begin at its node");
            Assert.True(IsOnBorder(picture.Nodes[line.To], line.Points[^1]), "a line does not end at its node");
            Assert.True(line.Points[0] != line.Points[^1], "a line has no length");
            for (int i = 0; i < picture.Nodes.Length; i++)
            {
                for (int p = 1; p < line.Points.Length; p++)
                {
                    Assert.False(Crosses(picture.Nodes[i], line.Points[p - 1], line.Points[p]),
                        $"the line from {line.From} to {line.To} runs through node {i}");
                }
            }
        }
    }

    private static bool IsInside(WaitGraphPicture picture, double x, double y) => x >= 0 && y >= 0 && x <= picture.Width && y <= picture.Height;

    private static bool Overlap(WaitGraphNode a, WaitGraphNode b) => a.X < b.X + b.Width && b.X < a.X + a.Width && a.Y < b.Y + b.Height && b.Y < a.Y + a.Height;

    private static bool IsOnBorder(WaitGraphNode node, (double X, double Y) point)
    {
        const double Near = 0.01;
        bool isWithin = point.X > node.X - Near && point.X < node.X + node.Width + Near && point.Y > node.Y - Near && point.Y < node.Y + node.Height + Near;
        bool isDeepInside = point.X > node.X + Near && point.X < node.X + node.Width - Near && point.Y > node.Y + Near && point.Y < node.Y + node.Height - Near;
        return isWithin && !isDeepInside;
    }

    /// <summary>Samples the line: it may touch a border, as it does where it begins and ends, but not run through a node.</summary>
    private static bool Crosses(WaitGraphNode node, (double X, double Y) from, (double X, double Y) to)
    {
        const int Steps = 60;
        for (int i = 0; i <= Steps; i++)
        {
            double x = from.X + ((to.X - from.X) * i / Steps), y = from.Y + ((to.Y - from.Y) * i / Steps);
            if (x > node.X + 0.5 && x < node.X + node.Width - 0.5 && y > node.Y + 0.5 && y < node.Y + node.Height - 0.5)
            {
                return true;
            }
        }

        return false;
    }
}
