using Dump.Model.Facts;
using Dump.Model.Reported;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Model.Wording;

namespace Dump.Reports;

/// <summary>Wait chains as text.</summary>
public static class ChainsReport
{
    private const string Cycle = "a cycle: the chain leads back into itself";
    private const string UncertainCycle = "the chain leads back into itself, but not every link is certain or without a time limit";

    /// <summary>Writes them for people.</summary>
    public static void Write(ChainDocument document, TextWriter output, TextStyle style)
    {
        ThreadNames threads = new(document);
        ChainLines lines = new(threads, output, style);
        SourceHead.Write(document, output, style);
        if (document.Chains.IsEmpty)
        {
            output.WriteLine(
                !document.UnknownThreads.IsEmpty ? "No wait was found, but not every thread could be looked at."
                : !document.Missing.IsEmpty ? "No wait was found, but not everything could be read: see below."
                : "No thread waits for anything.");
        }

        foreach (WaitChain chain in document.Chains)
        {
            output.WriteLine(style.Heading(threads.Full(chain.ThreadId)));
            if (chain.Links.IsEmpty)
            {
                output.WriteLine(document.UnknownThreads.Contains(chain.ThreadId)
                    ? "  what it does is unknown, so it may wait"
                    : "  waits for nothing that is known");
            }

            foreach (ChainLink link in chain.Links)
            {
                lines.Write(link, "  ");
            }

            if (chain.EndsInCycle)
            {
                bool isCertain = chain.Links.All(l => l.Grade > Grade.Suspected && l.Timeout == WaitTimeout.Infinite);
                output.WriteLine(style.Alarm($"  {(isCertain ? Cycle : UncertainCycle)}"));
            }
        }

        FactsFooter.Write(document, output, style);
    }
}
