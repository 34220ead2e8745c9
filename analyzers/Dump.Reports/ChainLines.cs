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
    private readonly ChainWords _words = new(threads);

    /// <summary>Writes a link, each line after the first indented by two more.</summary>
    public void Write(ChainLink link, string indent)
    {
        output.WriteLine($"{indent}{_words.Link(link)} {style.Faint(ChainWords.Certainty(link))}");
        foreach (Evidence evidence in link.Evidence)
        {
            output.WriteLine(style.Faint($"{indent}  {EvidenceWords.Line(evidence)}"));
        }
    }
}
