using System.Globalization;
using System.Text.RegularExpressions;
using Dump.Benchmarks.Measuring;

namespace Dump.Benchmarks.Peers;

/// <summary>Counts the stacks that a program printed, so that a peer that gave up early does not pass for a fast one.</summary>
internal static class PrintedStacks
{
    /// <summary>Counts the lines of an output file. Several threads in a row without frames between them share the stack that follows.</summary>
    /// <param name="output">Path of the file.</param>
    /// <param name="exitCode">The program's exit code, named when nothing was printed.</param>
    /// <param name="thread">Matches the line that begins a thread.</param>
    /// <param name="frame">Matches the line of a frame.</param>
    /// <param name="threads">Threads of the dump; with fewer the run is a failure.</param>
    public static WorkDone Count(string output, int exitCode, Regex thread, Regex frame, int threads)
    {
        int threadCount = 0;
        int frameCount = 0;
        int sharing = 0;
        bool inFrames = false;
        foreach (string line in File.ReadLines(output))
        {
            if (thread.IsMatch(line))
            {
                threadCount++;
                sharing = inFrames ? 1 : sharing + 1;
                inFrames = false;
            }
            else if (frame.IsMatch(line))
            {
                frameCount += sharing;
                inFrames = true;
            }
        }

        string? failure = threadCount < threads ? $"exit code {exitCode}, {threadCount} of {threads} stacks" : null;
        return new WorkDone(string.Create(CultureInfo.InvariantCulture, $"{threadCount} stacks, {frameCount:N0} frames"), failure);
    }
}
