using System.Diagnostics;
using Dump.Fuzz.Oracles;
using Dump.Fuzz.Targets;
using Dump.Testing;

namespace Dump.Fuzz.Running;

/// <summary>One input, read by one reader under all oracles.</summary>
/// <param name="Outcome">What came of it; null when an oracle failed.</param>
/// <param name="Failure">What an oracle found; null when all hold.</param>
/// <param name="Elapsed">Time on the wall.</param>
/// <param name="Allocated">Bytes that were allocated.</param>
internal readonly record struct Execution(string? Outcome, string? Failure, TimeSpan Elapsed, long Allocated)
{
    // Seeds of runs and numbers of inputs are mixed: neighbours have nothing in common.
    private const ulong Step = 0x9E37_79B9_7F4A_7C15;
    private const ulong FirstFactor = 0xBF58_476D_1CE4_E5B9;
    private const ulong SecondFactor = 0x94D0_49BB_1331_11EB;

    /// <summary>The input of a number in a run of a seed: the same for ever.</summary>
    public static byte[] Input(FuzzTarget target, int seed, long number) => target.Input(RandomOf(seed, number));

    /// <summary>What decides on the input of a number in a run of a seed: the same for ever.</summary>
    public static Random RandomOf(int seed, long number)
    {
        ulong mixed = unchecked((ulong)seed * FirstFactor + (ulong)(number + 1) * Step);
        mixed = unchecked((mixed ^ (mixed >> 30)) * FirstFactor);
        mixed = unchecked((mixed ^ (mixed >> 27)) * SecondFactor);
        return new Random((int)(mixed >> 33));
    }

    /// <summary>Reads an input.</summary>
    public static Execution Of(FuzzTarget target, byte[] input)
    {
        string? outcome = null, failure = null;
        long before = GC.GetAllocatedBytesForCurrentThread() - MeasuredOutput.Allocated;
        TimeSpan started = ThreadClock.Now;
        var clock = Stopwatch.StartNew();
        try
        {
            outcome = target.Execute(input);
        }
        catch (OracleException error)
        {
            failure = error.Message;
        }
        catch (Exception error)
        {
            failure = error.ToString();
        }

        TimeSpan elapsed = clock.Elapsed, processor = ThreadClock.Now - started;
        long allocated = GC.GetAllocatedBytesForCurrentThread() - MeasuredOutput.Allocated - before;
        failure ??= allocated > target.MostAllocated(input.Length)
            ? $"an input of {input.Length} bytes took {allocated} bytes of memory, and {target.MostAllocated(input.Length)} are allowed"
            : processor > Oracle.MostTime ? $"it took {processor.TotalSeconds} s of processor time" : null;
        return new Execution(failure is null ? outcome : null, failure, elapsed, allocated);
    }

    /// <summary>Reads the inputs of some numbers; fails at the first for which an oracle does.</summary>
    /// <exception cref="OracleException">What was found, with how to repeat it.</exception>
    public static ReaderTotals Sweep(FuzzTarget target, int seed, long first, int count)
    {
        ReaderTotals totals = new(target.Name);
        for (long number = first; number < first + count; number++)
        {
            byte[] input = Input(target, seed, number);
            Execution execution = Of(target, input);
            totals.Add(execution, number);
            Oracle.Holds(execution.Failure is null, $"--reader {target.Name} --seed {seed} --from {number} --executions 1: {execution.Failure}");
        }

        return totals;
    }
}
