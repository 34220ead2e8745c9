using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Reported;
using Dump.Model.Text;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Model.Wording;
using Dump.Reports.Html.Elements;

namespace Dump.Reports.Html.Graph;

/// <summary>The text of nodes and edges.</summary>
internal sealed class WaitGraphWords
{
    private readonly ReportedVerdict _verdict;
    private readonly ThreadNames _threads;
    private readonly OwnFrames _own;

    /// <summary>Takes what names threads and their frames.</summary>
    public WaitGraphWords(HangReport report, ReportedVerdict verdict)
    {
        _verdict = verdict;
        _threads = new ThreadNames(report);
        _own = new OwnFrames(report);
    }

    /// <summary>Lines for a thread: its number, its name, and the innermost function of its evidence that is not the system's.</summary>
    public ImmutableArray<string> ThreadLines(uint id)
    {
        List<string> lines = [Capital(_threads.Short(id))];
        if (_threads.Name(id) is { } name)
        {
            lines.Add(SafeText.Quote(name));
        }

        if (OwnFrame(id) is { } place)
        {
            lines.Add(place);
        }

        return [.. lines.Select(Fit)];
    }

    /// <summary>The whole text for a thread.</summary>
    public string ThreadText(uint id)
    {
        string role = _verdict.Stacks.FirstOrDefault(s => s.ThreadId == id)?.Role is { } known ? $": {known}" : "";
        string frame = OwnFrame(id) is { } place ? $"; in {place}" : "";
        return Capital(_threads.Full(id)) + role + frame;
    }

    /// <summary>Lines for a holder that is no thread of the process or exists no longer.</summary>
    public ImmutableArray<string> ForeignLines(ChainLink link) =>
        [.. Wrap(Capital(link.HolderDescription ?? _threads.Short(link.HolderThreadId ?? 0)), 2),
            .. link.HolderIsAlive == false ? ["no longer exists"] : Array.Empty<string>()];

    /// <summary>Lines for what a thread waits for, with a last one where nobody is known to hold it.</summary>
    public static ImmutableArray<string> ResourceLines(ChainLink link) =>
        [.. Wrap(link.ResourceText, 3), .. ChainWords.WithoutOwner(link) is { } note ? Wrap(note, 2) : []];

    /// <summary>What the edge from a waiting thread is called.</summary>
    public static string WaitLabel(ChainLink link) => link switch
    {
        { IsSatisfied: true } => "is about to go on",
        { Timeout: WaitTimeout.Finite } => "waits (time limit)",
        { IsWaitAny: true } => "waits for one of",
        _ => "waits for",
    };

    /// <summary>A link as a sentence.</summary>
    public string Sentence(ChainLink link) => $"{new ChainWords(_threads).Link(link)} {ChainWords.Certainty(link)}";

    /// <summary>Cuts text to at most that many lines of a node, at spaces where there are any.</summary>
    public static IEnumerable<string> Wrap(string text, int most)
    {
        string rest = text;
        for (int line = 1; rest.Length > 0; line++)
        {
            if (rest.Length <= WaitGraphMeasures.LineCharacters || line == most)
            {
                yield return Fit(rest);
                yield break;
            }

            int space = rest.LastIndexOf(' ', WaitGraphMeasures.LineCharacters);
            int end = space > 0 ? space : CutAt(rest, WaitGraphMeasures.LineCharacters);
            yield return rest[..end];
            rest = rest[end..].TrimStart();
        }
    }

    private string? OwnFrame(uint id) =>
        _verdict.Stacks.FirstOrDefault(s => s.ThreadId == id) is { } stack && _own.Innermost(stack) is { } frame ? FrameWords.Place(frame) : null;

    private static string Fit(string text) =>
        text.Length <= WaitGraphMeasures.LineCharacters ? text : string.Concat(text.AsSpan(0, CutAt(text, WaitGraphMeasures.LineCharacters - 1)), "\u2026");

    private static int CutAt(string text, int length) => char.IsHighSurrogate(text[length - 1]) ? length - 1 : length;

    private static string Capital(string text) => text.Length == 0 ? text : char.ToUpperInvariant(text[0]) + text[1..];
}
