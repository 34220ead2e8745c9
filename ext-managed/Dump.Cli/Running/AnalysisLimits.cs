using System.CommandLine;
using System.Globalization;
using System.Runtime.InteropServices;
using Dump.Cli.Options;
using Dump.Model.Contract;
using Dump.Triage.Children;

namespace Dump.Cli.Running;

/// <summary>How long the analysis of one dump may take, and how much memory.</summary>
/// <param name="Time">On the clock.</param>
/// <param name="Memory">Bytes without those of mapped files, whose pages the system can take back.</param>
internal sealed partial record AnalysisLimits(TimeSpan Time, long Memory)
{
    private const long GiB = 1L << 30;
    private const double MostOfMachine = 0.9;
    private const double MostMinutes = 24 * 60;

    // Between two looks more can pass only where this program was stopped, which does not count.
    private static readonly TimeSpan s_mostOfLook = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan s_shortest = TimeSpan.FromMinutes(10);
    private static readonly TimeSpan s_look = TimeSpan.FromMilliseconds(200);

    /// <summary>Those of a command line: what it gives, else enough for honest work on dumps of that size.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="bytes">Size of the dumps; 0 for a process.</param>
    /// <param name="besides">Time that is spent besides, as a process is watched.</param>
    public static AnalysisLimits Of(ParseResult parsed, long bytes, TimeSpan besides = default) => new(
        Given<TimeSpan?>(parsed, DumpOptions.TimeoutName) ?? s_shortest + besides + TimeSpan.FromMinutes(Math.Min(bytes / (double)GiB, MostMinutes)),
        Given<long?>(parsed, DumpOptions.MemoryName)
            ?? (long)Math.Min((4 * GiB) + (2.0 * bytes), GC.GetGCMemoryInfo().TotalAvailableMemoryBytes * MostOfMachine));

    /// <summary>The time in words.</summary>
    public string TimeWords => Time.TotalMinutes >= 2 ? string.Create(CultureInfo.InvariantCulture, $"{Time.TotalMinutes:0.#} min")
        : string.Create(CultureInfo.InvariantCulture, $"{Time.TotalSeconds:0.#} s");

    /// <summary>The memory in words.</summary>
    public string MemoryWords => string.Create(CultureInfo.InvariantCulture, $"{Memory >> 20:N0} MiB");

    /// <summary>Holds this process to them until the result is disposed: past them it ends with one line.</summary>
    public IDisposable Hold() => new Watcher(this);

    /// <summary>Ends this process at once, whatever its other threads do.</summary>
    /// <param name="exitCode">The exit code.</param>
    public static void EndNow(int exitCode)
    {
        if (OperatingSystem.IsWindows())
        {
            Environment.Exit(exitCode);
        }

        Exit(exitCode);
    }

    private static void End(string why)
    {
        Console.Error.WriteLine($"dumpanalyze: {why}");
        EndNow(ExitCode.ToolError);
    }

    private static T? Given<T>(ParseResult parsed, string name) =>
        parsed.CommandResult.Command.Options.FirstOrDefault(o => o.Name == name) is Option<T> option ? parsed.GetValue(option) : default;

    [LibraryImport("libc", EntryPoint = "_exit")]
    private static partial void Exit(int exitCode);

    private sealed class Watcher : IDisposable
    {
        private readonly ManualResetEventSlim _end = new();
        private readonly Thread _thread;

        public Watcher(AnalysisLimits limits)
        {
            _thread = new Thread(() => Watch(limits)) { IsBackground = true, Name = "limits" };
            _thread.Start();
        }

        public void Dispose()
        {
            _end.Set();
            _thread.Join();
            _end.Dispose();
        }

        private void Watch(AnalysisLimits limits)
        {
            Clock clock = new();
            while (!_end.Wait(s_look))
            {
                if (ChildProcess.MemoryOf(Environment.ProcessId) > limits.Memory)
                {
                    End($"the analysis took more than {limits.MemoryWords} of memory; --memory SIZE allows it more");
                }

                if (clock.Look() > limits.Time)
                {
                    End($"the analysis did not end within {limits.TimeWords}; --timeout TIME allows it more");
                }
            }
        }
    }

    /// <summary>Time on the clock while this program was not stopped, as by Ctrl+Z; to be looked at often.</summary>
    public sealed class Clock
    {
        private long _last = Environment.TickCount64;
        private TimeSpan _passed;

        /// <summary>How much has passed.</summary>
        public TimeSpan Look()
        {
            long now = Environment.TickCount64;
            TimeSpan since = TimeSpan.FromMilliseconds(now - _last);
            _last = now;
            return _passed += since < s_mostOfLook ? since : s_mostOfLook;
        }
    }
}
