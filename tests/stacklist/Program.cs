using Microsoft.Diagnostics.Runtime;

namespace StackList;

/// <summary>The peer for cores of .NET processes: ClrMD lists the managed stacks of dumps and judges nothing.</summary>
internal static class Program
{
    private const int NoRuntime = 1;

    private static int Main(string[] dumps)
    {
        int status = 0;
        using StreamWriter output = new(Console.OpenStandardOutput());
        foreach (string dump in dumps)
        {
            using DataTarget target = DataTarget.LoadDump(dump, new DataTargetOptions { SymbolPaths = [] });
            if (target.ClrVersions.Length == 0)
            {
                status = NoRuntime;
                continue;
            }

            using ClrRuntime runtime = target.ClrVersions[0].CreateRuntime();
            foreach (ClrThread thread in runtime.Threads)
            {
                output.WriteLine($"thread {thread.OSThreadId:x}");
                foreach (ClrStackFrame frame in thread.EnumerateStackTrace())
                {
                    output.WriteLine($"  {frame}");
                }
            }
        }

        return status;
    }
}
