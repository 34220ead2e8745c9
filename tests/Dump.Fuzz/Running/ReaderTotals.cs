namespace Dump.Fuzz.Running;

/// <summary>What one reader has met so far.</summary>
/// <param name="name">Its name.</param>
internal sealed class ReaderTotals(string name)
{
    private const int MostOutcomes = 2_000_000;
    private readonly HashSet<ulong> _outcomes = [];

    /// <summary>Its name.</summary>
    public string Name => name;

    /// <summary>Inputs that were read.</summary>
    public long Executions { get; private set; }

    /// <summary>Of these, inputs for which an oracle failed.</summary>
    public long Failures { get; private set; }

    /// <summary>Different outcomes: sentences and counts, two million at most.</summary>
    public int Outcomes => _outcomes.Count;

    /// <summary>The longest time of one input on the wall, and its number.</summary>
    public (TimeSpan Elapsed, long Number) Slowest { get; private set; }

    /// <summary>The most memory of one input in bytes, and its number.</summary>
    public (long Allocated, long Number) Largest { get; private set; }

    /// <summary>Time of all inputs on the wall.</summary>
    public TimeSpan Elapsed { get; private set; }

    /// <summary>Counts one more.</summary>
    public void Add(in Execution execution, long number)
    {
        Executions++;
        Failures += execution.Failure is null ? 0 : 1;
        Elapsed += execution.Elapsed;
        if (execution.Elapsed > Slowest.Elapsed)
        {
            Slowest = (execution.Elapsed, number);
        }

        if (execution.Allocated > Largest.Allocated)
        {
            Largest = (execution.Allocated, number);
        }

        if (_outcomes.Count < MostOutcomes)
        {
            _outcomes.Add(Hash(execution.Outcome ?? execution.Failure ?? ""));
        }
    }

    /// <summary>Of the first words; numbers longer than two digits are alike, so that addresses and sizes make no new outcomes.</summary>
    public static ulong Hash(string outcome)
    {
        const int Longest = 400;
        const ulong Basis = 14_695_981_039_346_656_037, Prime = 1_099_511_628_211;
        ulong hash = Basis;
        int digits = 0;
        foreach (char letter in outcome.AsSpan(0, Math.Min(Longest, outcome.Length)))
        {
            digits = char.IsAsciiHexDigitLower(letter) || char.IsAsciiDigit(letter) ? digits + (char.IsAsciiDigit(letter) ? 1 : 0) : 0;
            if (digits <= 2)
            {
                hash = unchecked((hash ^ letter) * Prime);
            }
        }

        return hash;
    }
}
