using Dump.Model.Facts;
using Dump.Model.Verdicts;
using Dump.Model.Wording;

namespace Dump.Reports;

/// <summary>A link of a wait chain in words.</summary>
public static class ChainText
{
    /// <summary>Writes the link and its evidence.</summary>
    public static void Write(ChainWords words, ChainLink link, TextWriter output, TextStyle style, string indent)
    {
        output.WriteLine($"{indent}{words.Link(link)} {style.Faint(ChainWords.Certainty(link))}");
        foreach (Evidence evidence in link.Evidence)
        {
            output.WriteLine(style.Faint($"{indent}  {Describe(evidence)}"));
        }
    }

    /// <summary>A piece of evidence in one line.</summary>
    public static string Describe(Evidence evidence)
    {
        string place = (evidence.Address, evidence.Value) switch
        {
            ({ } at, { } number) => $" (0x{at:x} = 0x{number:x})",
            ({ } at, null) => $" (0x{at:x})",
            (null, { } number) => $" (= 0x{number:x})",
            _ => "",
        };
        return $"{EnumText.Words(evidence.Source)}: {evidence.Text}{place}";
    }
}
