using System.Diagnostics;
using System.Runtime.Versioning;

namespace Dump.WindowsCheck.Checking;

/// <summary>Programs for .NET Framework, built by the compiler that comes with it: two threads in a cycle of monitors, and a healthy twin.</summary>
[SupportedOSPlatform("windows")]
internal static class FrameworkSample
{
    private const string Source = """
        using System;
        using System.Threading;

        static class Program
        {
            static readonly object s_first = new object(), s_second = new object();
            static readonly Barrier s_both = new Barrier(2);
            static int s_passed;

            static void Main(string[] arguments)
            {
                Console.WriteLine("pid " + System.Diagnostics.Process.GetCurrentProcess().Id);
                if (arguments[0] == "framework-cycle")
                {
                    Thread one = new Thread(() => Take(s_first, s_second)) { IsBackground = true };
                    Thread other = new Thread(() => Take(s_second, s_first)) { IsBackground = true };
                    one.Start();
                    other.Start();
                    while (Thread.VolatileRead(ref s_passed) < 2 || !Waits(one) || !Waits(other))
                    {
                        Thread.Yield();
                    }
                }

                Console.WriteLine("ready");
                Console.In.ReadLine();
            }

            static bool Waits(Thread thread)
            {
                return (thread.ThreadState & ThreadState.WaitSleepJoin) != 0;
            }

            static void Take(object one, object other)
            {
                lock (one)
                {
                    s_both.SignalAndWait();
                    Interlocked.Increment(ref s_passed);
                    lock (other)
                    {
                        Console.WriteLine("failed");
                    }
                }
            }
        }
        """;

    /// <summary>True for the name of one.</summary>
    public static bool Is(string name) => name.StartsWith("framework-", StringComparison.Ordinal);

    /// <summary>Builds the program; null where this machine has no .NET Framework 4 with its compiler.</summary>
    /// <param name="folder">Where it goes.</param>
    public static string? Build(string folder)
    {
        string compiler = Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.Windows), "Microsoft.NET", "Framework64", "v4.0.30319", "csc.exe");
        if (!File.Exists(compiler))
        {
            return null;
        }

        string source = Path.Combine(folder, "framework.cs"), program = Path.Combine(folder, "framework.exe");
        File.WriteAllText(source, Source);
        using Process build = Process.Start(compiler, ["/nologo", "/platform:x64", $"/out:{program}", source]);
        build.WaitForExit();
        return build.ExitCode == 0 ? program : null;
    }
}
