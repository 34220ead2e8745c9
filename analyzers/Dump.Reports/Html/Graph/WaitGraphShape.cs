using System.Collections.Immutable;
using Dump.Model;

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
        foreach (ChainLink link in Links)
        {
            Add(link);
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

    private static IEnumerable<ChainLink> Ordered(ImmutableArray<ChainLink> chain)
    {
        List<ChainLink> rest = [.. chain];
        uint? next = null;
        while (rest.Count > 0)
        {
            int index = Math.Max(0, rest.FindIndex(l => l.ThreadId == next));
            ChainLink link = rest[index];
            rest.RemoveAt(index);
            next = link.HolderThreadId;
            yield return link;
        }
    }

    private static bool IsSimpleCycle(ImmutableArray<ChainLink> links) =>
        links.Length > 0 && links.Select(l => l.ThreadId).Distinct().Count() == links.Length && links.Select(l => (l.Resource, IsAnonymous(l.Resource) ? l.ThreadId : 0)).Distinct().Count() == links.Length
        && links.Select((l, i) => l.HolderThreadId == links[(i + 1) % links.Length].ThreadId && l.HolderDescription is null && l.HolderIsAlive != false).All(fits => fits);

    private void Add(ChainLink link)
    {
        int waiter = Thread(link.ThreadId);
        if (link is { Resource.Kind: ResourceKind.Thread, HolderThreadId: { } ending } && ending != link.ThreadId)
        {
            Edges.Add((waiter, Thread(ending), link.Grade, "waits for its end"));
            return;
        }

        int resource = Node((false, IsAnonymous(link.Resource) ? link.ThreadId : 0, link.Resource, null), WaitGraphNodeKind.Resource, WaitGraphWords.ResourceLines(link), link.ResourceText);
        Edges.Add((waiter, resource, link.Grade, WaitGraphWords.WaitLabel(link)));
        if (link.HolderThreadId is { } holder)
        {
            Edges.Add((resource, Holder(link, holder), link.Grade, WaitGraphWords.HolderLabel(link)));
        }
    }

    /// <summary>True when two threads that wait for such a resource need not wait for the same one.</summary>
    private static bool IsAnonymous(Resource resource) => resource is { Identity: 0, Kind: not (ResourceKind.LoadOwnership or ResourceKind.LoaderWorkers) };

    private int Thread(uint id) => Node((true, id, null, null), WaitGraphNodeKind.Thread, _words.ThreadLines(id), _words.ThreadText(id), id == _culprit);

    private int Holder(ChainLink link, uint id) => link.HolderDescription is null && link.HolderIsAlive != false
        ? Thread(id)
        : Node((true, id, null, link.HolderDescription ?? ""), WaitGraphNodeKind.Foreign, _words.ForeignLines(link), string.Join(' ', _words.ForeignLines(link)));

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

    private int Node((bool IsThread, uint Thread, Resource? Resource, string? Foreign) key, WaitGraphNodeKind kind, ImmutableArray<string> labels, string text, bool isCulprit = false)
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
