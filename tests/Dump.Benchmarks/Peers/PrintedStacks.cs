using System.Text.RegularExpressions;
using Dump.Benchmarks.Measuring;

namespace Dump.Benchmarks.Peers;

/// <summary>Counts the stacks that a program printed, so that a peer that gave up early does not pass for a fast one.</summary>
internal static class PrintedStacks
{
    /// <summary>Counts the lines of an output file.</summary>
    /// <param name="output">Path of the file.</param>
    /// <param name="exitCode">The program's exit code, named when nothing was printed.</param>
    /// <param name="thread">Matches the line that begins a thread.</param>
    /// <param name="frame">Matches the line of a frame.</param>
    /// <param name="threads">Threads of the dump; with fewer the run is a failure.</param>
    public static WorkDone Count(string output, int exitCode, Regex thread, Regex frame, int threads)
    {
        int threadCount = 0;
        int frameCount = 0;
        foreach (string line in File.ReadLines(output))
        {
            threadCount += thread.IsMatch(line) ? 1 : 0;
            frameCount += frame.IsMatch(line) ? 1 : 0;
        }

        string? failure = threadCount < threads ? $"exit code {exitCode}, {threadCount} of {threads} stacks" : null;
        return new WorkDone(failure, threadCount, frameCount);
    }
}
