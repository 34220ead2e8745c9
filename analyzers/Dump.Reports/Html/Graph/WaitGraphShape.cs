using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Model.Wording;
using Dump.Reports.Html.Elements;

namespace Dump.Reports.Html.Graph;

/// <summary>Nodes and edges of a chain, before they have places.</summary>
internal sealed class WaitGraphShape
{
    /// <summary>Most links that are drawn; a picture with more cannot be read.</summary>
    public const int MostLinks = 12;

    private readonly WaitGraphWords _words;
    private readonly uint? _culprit;
    private readonly Dictionary<(bool IsThread, uint Thread, Resource? Resource, string? Foreign), int> _places = [];

    /// <summary>Takes the links of a chain.</summary>
    public WaitGraphShape(ImmutableArray<ChainLink> chain, WaitGraphWords words, uint? culprit)
    {
        _words = words;
        _culprit = culprit;
        Links = [.. Ordered(chain).Take(chain.Length > MostLinks ? MostLinks - 1 : MostLinks)];
        LeftOut = chain.Length - Links.Length;
        IsRing = IsSimpleCycle([.. Ordered(chain)]);
        for (int i = 0; i < Links.Length; i++)
        {
            // All who wait for the same thing stand before it, so that its holder follows it directly.
            foreach (ChainLink waiter in Links.Skip(i).TakeWhile(l => Key(l) == Key(Links[i])))
            {
                Thread(waiter.ThreadId);
            }

            Add(Links[i]);
        }

        if (LeftOut > 0)
        {
            AddMore();
        }
    }

    /// <summary>The links that are drawn, each behind the one that leads to it where there is one.</summary>
    public ImmutableArray<ChainLink> Links { get; }

    /// <summary>How many links are not drawn.</summary>
    public int LeftOut { get; }

    /// <summary>True when all links form one cycle and nothing else.</summary>
    public bool IsRing { get; }

    /// <summary>Nodes without places, in the order in which the chain comes to them.</summary>
    public List<WaitGraphNode> Nodes { get; } = [];

    /// <summary>Edges by the indexes of their nodes.</summary>
    public List<(int From, int To, Grade Grade, string Label)> Edges { get; } = [];

    /// <summary>The first link, all others for the same resource, then those of its holder, and so on.</summary>
    private static IEnumerable<ChainLink> Ordered(ImmutableArray<ChainLink> chain)
    {
        List<ChainLink> rest = [.. chain];
        ChainLink? last = null;
        while (rest.Count > 0)
        {
            int same = last is null ? -1 : rest.FindIndex(l => Key(l) == Key(last));
            int index = Math.Max(0, same >= 0 ? same : rest.FindIndex(l => l.ThreadId == last?.HolderThreadId));
            last = rest[index];
            rest.RemoveAt(index);
            yield return last;
        }
    }

    /// <summary>
    /// What makes a resource the same one. Two threads that wait for something that could not be identified need not wait for the same thing.
    /// </summary>
    private static (Resource Resource, uint Thread) Key(ChainLink link) =>
        (link.Resource, link.Resource is { Identity: 0, Facts.ExistsOnce: false } ? link.ThreadId : 0);

    private static bool IsSimpleCycle(ImmutableArray<ChainLink> links) =>
        links.Length > 0 && links.Select(l => l.ThreadId).Distinct().Count() == links.Length && links.Select(Key).Distinct().Count() == links.Length
        && links.Select((l, i) => l.HolderThreadId == links[(i + 1) % links.Length].ThreadId && l.HolderDescription is null && l.HolderIsAlive != false)
            .All(fits => fits);

    private void Add(ChainLink link)
    {
        int waiter = Thread(link.ThreadId);
        if (link is { Resource.Facts.NamesItsOwner: true, HolderThreadId: { } ending } && ending != link.ThreadId)
        {
            Edges.Add((waiter, Thread(ending), link.Grade, "waits for its end"));
            return;
        }

        int resource = Node((false, Key(link).Thread, link.Resource, null), WaitGraphNodeKind.Resource, WaitGraphWords.ResourceLines(link), link.ResourceText);
        Edges.Add((waiter, resource, link.Grade, WaitGraphWords.WaitLabel(link)));
        if (link.HolderThreadId is { } holder)
        {
            Edges.Add((resource, Holder(link, holder), link.Grade, ChainWords.HeldBy(link)));
        }
    }

    private int Thread(uint id) => Node((true, id, null, null), WaitGraphNodeKind.Thread, _words.ThreadLines(id), _words.ThreadText(id), id == _culprit);

    private int Holder(ChainLink link, uint id) => link.HolderDescription is null && link.HolderIsAlive != false
        ? Thread(id)
        : Node((true, id, null, link.HolderDescription ?? ""), WaitGraphNodeKind.Foreign, _words.ForeignLines(link),
            string.Join(' ', _words.ForeignLines(link)));

    private void AddMore()
    {
        int last = Nodes.Count - 1;
        string text = $"\u2026 {HtmlWriter.Count(LeftOut, "more link")}";
        int more = Node((false, 0, null, text), WaitGraphNodeKind.More, [text], text);
        Edges.Add((last, more, Grade.Proven, ""));
        if (IsRing)
        {
            // The last link that is drawn leads to a thread whose own link is not: that thread is the last node.
            Edges.Add((more, 0, Grade.Proven, ""));
        }
    }

    private int Node((bool IsThread, uint Thread, Resource? Resource, string? Foreign) key, WaitGraphNodeKind kind, ImmutableArray<string> labels, string text,
        bool isCulprit = false)
    {
        if (!_places.TryGetValue(key, out int index))
        {
            index = Nodes.Count;
            _places.Add(key, index);
            Nodes.Add(new WaitGraphNode(kind, 0, 0, WaitGraphMeasures.NodeWidth, WaitGraphMeasures.Height(labels.Length), labels, text, isCulprit));
        }

        return index;
    }
}
