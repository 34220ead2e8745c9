using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Reported;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Model.Wording;
using Dump.Reports.Json;

namespace Dump.Reports;

/// <summary>Wait chains as text or JSON.</summary>
public static class ChainsReport
{
    /// <summary>Writes them for people.</summary>
    public static void WriteText(ProcessSnapshot snapshot, IReadOnlyList<WaitChain> chains, TextWriter output, TextStyle style)
    {
        ThreadNames threads = new(snapshot);
        ChainLines lines = new(threads, output, style);
        SourceHead.Write(snapshot, output, style);
        output.WriteLine();
        if (chains.Count == 0)
        {
            output.WriteLine(
                UnknownThreads.Of(snapshot).Any() ? "No wait was found, but not every thread could be looked at."
                : !snapshot.Missing.IsEmpty ? "No wait was found, but not everything could be read: see below."
                : "No thread waits for anything.");
        }

        foreach (WaitChain chain in chains)
        {
            output.WriteLine(style.Heading(threads.Full(chain.ThreadId)));
            if (chain.Links.IsEmpty)
            {
                output.WriteLine(UnknownThreads.Of(snapshot).Any(t => t.Id == chain.ThreadId)
                    ? "  what it does is unknown, so it may wait"
                    : "  waits for nothing that is known");
            }

            foreach (ChainLink link in chain.Links)
            {
                lines.Write(link, "  ");
            }

            if (chain.EndsInCycle)
            {
                bool certain = chain.Links.All(l => l.Grade > Grade.Suspected && l.Timeout == WaitTimeout.Infinite);
                output.WriteLine(style.Alarm(certain ? "  a cycle: the chain leads back into itself" : "  the chain leads back into itself, but not every link is certain or without a time limit"));
            }
        }

        FactsFooter.Write(snapshot, output, style);
    }

    /// <summary>Writes them for programs.</summary>
    public static void WriteJson(ProcessSnapshot snapshot, IReadOnlyList<WaitChain> chains, Stream output)
    {
        ProcessReport facts = HangReports.Facts(snapshot, allStacks: false);
        JsonReport.Write(
            new ChainDocument
            {
                Source = facts.Source,
                Process = facts.Process,
                Chains = [.. chains],
                UnknownThreads = [.. UnknownThreads.Of(snapshot).Select(t => t.Id)],
                Missing = facts.Missing,
                Problems = facts.Problems,
            },
            output);
    }
}
