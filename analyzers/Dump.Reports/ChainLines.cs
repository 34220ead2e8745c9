using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Verdicts;
using Dump.Model.Wording;

namespace Dump.Reports;

/// <summary>Writes links of wait chains with their evidence.</summary>
/// <param name="threads">What threads are called.</param>
/// <param name="output">Where to write.</param>
/// <param name="style">Emphasis.</param>
internal sealed class ChainLines(ThreadNames threads, TextWriter output, TextStyle style)
{
    private const int MostNamed = 8;
    private readonly ChainWords _words = new(threads);

    /// <summary>Writes a link, each line after the first indented by two more.</summary>
    public void Write(ChainLink link, string indent) => Write(link, [link.ThreadId], link.At, indent, indent + "  ", []);

    /// <summary>Writes a link of one thread or of several that wait alike: the link, where in the program they are and which ones, the evidence.</summary>
    /// <param name="link">The link of the first thread.</param>
    /// <param name="waiting">All of them.</param>
    /// <param name="at">The function of the program that they are in, or null.</param>
    /// <param name="first">What stands before the first line.</param>
    /// <param name="further">What stands before the others.</param>
    /// <param name="told">Evidence that a line above has told and that is not told again; what is told here is added.</param>
    public void Write(ChainLink link, ImmutableArray<uint> waiting, CodePlace? at, string first, string further, HashSet<string> told)
    {
        output.WriteLine($"{first}{_words.Link(link, waiting.Length)} {style.Faint(ChainWords.Certainty(link))}");
        if (Where(waiting, at) is { } where)
        {
            output.WriteLine($"{further}{where}");
        }

        foreach (string line in link.Evidence.Select(EvidenceWords.Line).Where(told.Add))
        {
            output.WriteLine(style.Faint($"{further}{line}"));
        }
    }

    private string? Where(ImmutableArray<uint> waiting, CodePlace? at) => (at, waiting.Length) switch
    {
        ({ } place, 1) => $"in {place.Text}",
        ({ } place, _) => $"in {place.Text}: {threads.Some(waiting, MostNamed)}",
        (null, 1) => null,
        _ => $"these: {threads.Some(waiting, MostNamed)}",
    };
}
