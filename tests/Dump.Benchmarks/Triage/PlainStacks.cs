using Microsoft.Diagnostics.Runtime;

namespace Dump.Benchmarks.Triage;

/// <summary>The peer for cores of .NET processes: ClrMD lists the managed stacks and judges nothing.</summary>
internal static class PlainStacks
{
    /// <summary>Prints the stacks of dumps.</summary>
    /// <param name="dumps">Their paths.</param>
    /// <returns>0, or 1 when one could not be read.</returns>
    public static int Run(IEnumerable<string> dumps)
    {
        int status = 0;
        foreach (string dump in dumps)
        {
            using DataTarget target = DataTarget.LoadDump(dump, new DataTargetOptions { SymbolPaths = [] });
            if (target.ClrVersions.Length == 0)
            {
                status = 1;
                continue;
            }

            using ClrRuntime runtime = target.ClrVersions[0].CreateRuntime();
            foreach (ClrThread thread in runtime.Threads)
            {
                Console.WriteLine($"thread {thread.OSThreadId:x}");
                foreach (ClrStackFrame frame in thread.EnumerateStackTrace())
                {
                    Console.WriteLine($"  {frame}");
                }
            }
        }

        return status;
    }
}
