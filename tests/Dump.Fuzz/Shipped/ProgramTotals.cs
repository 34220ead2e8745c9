using System.Globalization;
using System.Text;
using Dump.Fuzz.Running;

namespace Dump.Fuzz.Shipped;

/// <summary>What the program has met of one kind of input.</summary>
/// <param name="name">The kind.</param>
internal sealed class ProgramTotals(string name)
{
    private readonly HashSet<ulong> _outcomes = [];
    private TimeSpan _most;
    private long _mostNumber;
    private long _memory;
    private TimeSpan _all;

    /// <summary>Inputs that were analysed.</summary>
    public long Executions { get; private set; }

    /// <summary>Of these, inputs for which something does not hold.</summary>
    public long Failures { get; private set; }

    /// <summary>Counts an input that was analysed.</summary>
    public void Add(string outcome)
    {
        Executions++;
        _outcomes.Add(ReaderTotals.Hash(outcome));
    }

    /// <summary>Counts a failure.</summary>
    public void Fail() => Failures++;

    /// <summary>Counts what a start of the program has cost.</summary>
    /// <param name="run">The start.</param>
    /// <param name="number">The only input that it had; null when it had several.</param>
    public void Cost(ProgramRun run, long? number)
    {
        _all += run.Processor;
        _memory = Math.Max(_memory, run.Memory);
        if (number is { } only && run.Processor > _most)
        {
            (_most, _mostNumber) = (run.Processor, only);
        }
    }

    /// <summary>All kinds as a table in Markdown.</summary>
    public static string Table(IEnumerable<ProgramTotals> kinds)
    {
        StringBuilder table = new();
        table.AppendLine("| input | executions | distinct outcomes | failures | most CPU of one, s | its number | most memory of a process, MB | time in all, s |");
        table.AppendLine("|---|---|---|---|---|---|---|---|");
        foreach (ProgramTotals kind in kinds)
        {
            table.AppendLine(CultureInfo.InvariantCulture,
                $"| {kind.Name} | {kind.Executions:N0} | {kind._outcomes.Count:N0} | {kind.Failures:N0} | {kind._most.TotalSeconds:0.00} | {kind._mostNumber} "
                + $"| {kind._memory / 1_000_000:N0} | {kind._all.TotalSeconds:N0} |");
        }

        return table.ToString();
    }

    private string Name => name;
}
