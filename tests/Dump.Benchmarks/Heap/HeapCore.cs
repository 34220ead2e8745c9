using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;

namespace Dump.Benchmarks.Heap;

/// <summary>Makes cores of <see cref="HeapProgram"/> with the runtime's own <c>createdump</c>.</summary>
internal static class HeapCore
{
    private static readonly TimeSpan s_startLimit = TimeSpan.FromMinutes(5);

    /// <summary>Starts the program, writes its core and ends it.</summary>
    /// <param name="objects">How many small objects its heap gets.</param>
    /// <param name="path">Where to write.</param>
    /// <param name="hangs">True for a program in which two threads wait for each other.</param>
    /// <returns>The path.</returns>
    /// <exception cref="InvalidOperationException">The program did not get ready, or the core was not written.</exception>
    public static string Make(int objects, string path, bool hangs = false) =>
        Make(["heap-program", objects.ToString(CultureInfo.InvariantCulture), .. hangs ? (string[])["hang"] : []], path);

    /// <summary>The same of another program of this assembly.</summary>
    /// <param name="arguments">Its name with its arguments.</param>
    /// <param name="path">Where to write.</param>
    /// <returns>The path.</returns>
    /// <exception cref="InvalidOperationException">The program did not get ready, or the core was not written.</exception>
    public static string Make(string[] arguments, string path)
    {
        ProcessStartInfo start = new("dotnet", [typeof(HeapCore).Assembly.Location, .. arguments]) { RedirectStandardOutput = true };
        using Process process = Process.Start(start)!;
        try
        {
            if (!Task.Run(() => process.StandardOutput.ReadLine()).WaitAsync(s_startLimit).GetAwaiter()
                .GetResult()?.StartsWith("ready", StringComparison.Ordinal) ?? true)
            {
                throw new InvalidOperationException("The program with the heap did not get ready.");
            }

            using Process dumper = Process.Start(new ProcessStartInfo(Path.Combine(RuntimeEnvironment.GetRuntimeDirectory(), "createdump"),
                ["--withheap", "-f", path, $"{process.Id}"]) { RedirectStandardOutput = true })!;
            dumper.StandardOutput.ReadToEnd();
            dumper.WaitForExit();
            return dumper.ExitCode == 0 ? path : throw new InvalidOperationException("createdump failed.");
        }
        finally
        {
            process.Kill();
            process.WaitForExit();
        }
    }
}
