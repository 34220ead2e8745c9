using System.Collections.Immutable;
using System.Globalization;
using Dump.Model.Managed;
using Dump.Model.Reported;
using Dump.Model.Text;
using Dump.Model.Wording;

namespace Dump.Reports;

/// <summary>The pending async methods of a process as text: a line for each kind of chain.</summary>
public static class TasksReport
{
    private const int MostThreads = 8;
    private const int MostShown = 200;

    /// <summary>Writes them for people.</summary>
    public static void Write(TaskDocument document, TextWriter output, TextStyle style)
    {
        SourceHead.Write(document, output, style);
        if (document.PendingMethods is not { } methods)
        {
            output.WriteLine(style.Warning(document.Missing.IsEmpty ? "No .NET runtime was found in this process: there are no async methods to look for."
                : "Async methods could not be searched for."));
            FactsFooter.Write(document, output, style);
            return;
        }

        output.WriteLine(Summary(document, methods));
        ThreadNames threads = new(document);
        if (!document.Chains.IsEmpty)
        {
            output.WriteLine();
        }

        foreach (AsyncChain chain in document.Chains.Take(MostShown))
        {
            WriteChain(chain, threads, output, style);
        }

        long left = document.ChainsLeftOut + Math.Max(0, document.Chains.Length - MostShown);
        if (left > 0)
        {
            output.WriteLine($"{CountText.Grouped(left, "more chain")} {(left == 1 ? "is" : "are")} not shown.");
        }

        if (document.LossesAreUnknown && methods > 0)
        {
            output.WriteLine(AwaitWords.LossesAreUnknown);
        }

        WriteFaults(document.Faults, output, style);
        FactsFooter.Write(document, output, style);
    }

    private static string Summary(TaskDocument document, long methods)
    {
        string found = methods == 0
            ? "No async method is pending" + (document.IsUndecidable ? ", as far as the heap could be searched" : "")
            : $"{CountText.Grouped(methods, "async method")} {(methods == 1 ? "is" : "are")} pending"
                + $" in {CountText.Grouped(document.Chains.Length + document.ChainsLeftOut, "kind")} of chains";
        int blocked = document.Chains.SelectMany(c => c.Threads).Distinct().Count();
        long lost = document.Chains.Where(c => c.Loss != AsyncLoss.None).Sum(c => c.Count);
        string threads = blocked == 0 ? "" : $"; {CountText.Of(blocked, "thread")} {(blocked == 1 ? "blocks" : "block")} in tasks";
        string lostOnes = lost == 0 ? "" : $"; {CountText.Grouped(lost, "chain")} {(lost == 1 ? "seems" : "seem")} lost";
        return $"{found}{threads}{lostOnes}.";
    }

    private static void WriteChain(AsyncChain chain, ThreadNames threads, TextWriter output, TextStyle style)
    {
        string count = string.Create(CultureInfo.InvariantCulture, $"{chain.Count,9:N0}  ");
        output.WriteLine($"{style.Heading(count)}{AwaitWords.Blocked(chain, threads, MostThreads)}{AwaitWords.Chain(chain.Steps, threads)}"
            + style.Faint($"  [{AwaitWords.Places(chain)}]"));
        string? doubt = chain.IsCycle ? AwaitWords.Cycle : AwaitWords.Loss(chain.Loss);
        if (doubt is not null)
        {
            output.WriteLine(new string(' ', count.Length) + style.Warning(doubt));
        }
    }

    private static void WriteFaults(ImmutableArray<UnobservedFault> faults, TextWriter output, TextStyle style)
    {
        if (faults.IsEmpty)
        {
            return;
        }

        output.WriteLine();
        output.WriteLine(style.Heading("Failed, and nobody has looked at the exception"));
        foreach (UnobservedFault fault in faults)
        {
            output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{fault.Count,9:N0}  ")
                + $"{fault.Task}: {fault.Exception ?? "exception unknown"}{style.Faint($"  [0x{fault.Example:x}]")}");
        }
    }
}
