using Dump.Model.Facts;
using Dump.Model.Reported;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Model.Wording;

namespace Dump.Reports;

/// <summary>Wait chains as text: the chain of one thread, or those of all as a tree.</summary>
public static class ChainsReport
{
    internal const string LeadsBack = "the chain leads back into itself";
    internal const string UncertainCycle = $"{LeadsBack}, but not every link is certain or without a time limit";
    internal const string Nothing = "waits for nothing that is known";
    internal const string Unknown = "what it does is unknown, so it may wait";

    /// <summary>Writes them for people.</summary>
    public static void Write(ChainDocument document, TextWriter output, TextStyle style)
    {
        ThreadNames threads = new(document);
        SourceHead.Write(document, output, style);
        if (document.Chains.IsEmpty)
        {
            output.WriteLine(
                !document.UnknownThreads.IsEmpty ? "No wait was found, but not every thread could be looked at."
                : !document.Missing.IsEmpty ? "No wait was found, but not everything could be read: see below."
                : "No thread waits for anything.");
        }

        if (!document.Tree.IsEmpty)
        {
            new ChainTreeLines(document, threads, output, style).Write();
        }
        else
        {
            WriteChains(document, threads, output, style);
        }

        FactsFooter.Write(document, output, style);
    }

    private static void WriteChains(ChainDocument document, ThreadNames threads, TextWriter output, TextStyle style)
    {
        ChainLines lines = new(threads, output, style);
        foreach (WaitChain chain in document.Chains)
        {
            output.WriteLine(style.Heading(threads.Full(chain.ThreadId)));
            if (chain.Links.IsEmpty)
            {
                output.WriteLine(document.UnknownThreads.Contains(chain.ThreadId) ? $"  {Unknown}" : $"  {Nothing}");
            }

            foreach (ChainLink link in chain.Links)
            {
                lines.Write(link, "  ");
            }

            if (chain is { EndsInCycle: true, Links: [.., { HolderThreadId: { } holder }] })
            {
                bool isCertain = chain.Links.All(l => l is { Grade: > Grade.Suspected, Timeout: WaitTimeout.Infinite, IsSatisfied: false });
                output.WriteLine($"  back to {threads.Full(holder)}");
                output.WriteLine(style.Alarm($"  {(isCertain ? $"a cycle: {LeadsBack}" : UncertainCycle)}"));
            }
        }
    }
}
