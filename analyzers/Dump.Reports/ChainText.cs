using Dump.Model;

namespace Dump.Reports;

/// <summary>A link of a wait chain in words.</summary>
public static class ChainText
{
    /// <summary>Writes the link and its evidence.</summary>
    public static void Write(ProcessSnapshot snapshot, ChainLink link, TextWriter output, TextStyle style, string indent)
    {
        string holder = link.HolderThreadId is { } id
            ? $" -> held by {ThreadText.Describe(snapshot, id)}{(link.HolderIsAlive == false ? ", which no longer exists" : "")}"
            : " -> holder unknown or none";
        if (link.Resource.Kind == ResourceKind.Thread)
        {
            holder = "";
        }

        string timeout = link.Timeout switch
        {
            WaitTimeout.Finite => ", with a time limit",
            WaitTimeout.Unknown => ", time limit unknown",
            _ => "",
        };
        output.WriteLine($"{indent}{ThreadText.Describe(snapshot, link.ThreadId)} waits for {link.ResourceText}{holder} {style.Faint($"[{link.Grade}{timeout}]")}");
        foreach (Evidence evidence in link.Evidence)
        {
            output.WriteLine(style.Faint($"{indent}  {Describe(evidence)}"));
        }
    }

    /// <summary>A piece of evidence in one line.</summary>
    public static string Describe(Evidence evidence)
    {
        string address = evidence.Address is { } at ? $" @ 0x{at:x}" : "";
        string value = evidence.Value is { } number ? $" = 0x{number:x}" : "";
        return $"{evidence.Source.ToString().ToLowerInvariant()}: {evidence.Text}{address}{value}";
    }
}
