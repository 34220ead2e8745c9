using System.Collections.Immutable;
using System.Diagnostics;
using System.Globalization;
using Dump.Model.Contract;

namespace Dump.Triage.Children;

/// <summary>Runs one analysis in a process of its own, within limits of time and memory.</summary>
public static class ChildProcess
{
    /// <summary>Exit code of a process that ends itself because a call into a data-access library came to no end; of no other way to end.</summary>
    public const int Stalled = 90;

    /// <summary>Bytes of a process without those of mapped files, whose pages the system can take back; null when they are not known.</summary>
    /// <param name="process">Process id; on Windows this process is meant.</param>
    public static long? MemoryOf(int process) => OperatingSystem.IsLinux() ? LinuxProcessGroup.MemoryOf(process) : Environment.WorkingSet;

    // How often time and memory are looked at: what a process can take meanwhile is little beside the limit.
    private static readonly TimeSpan s_look = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(5);

    // Of the limit, this much is the managed heap's; the rest is code, stacks and what the runtime itself needs.
    private const double HeapShare = 0.8;

    /// <summary>Runs it to its end. To be called on a thread that stays until the run is over (<see cref="ParentBond"/>).</summary>
    /// <param name="program">The program.</param>
    /// <param name="arguments">Its command line.</param>
    /// <param name="environment">Variables that it gets besides this process' own.</param>
    /// <param name="limits">Its limits.</param>
    /// <param name="cancellation">Ends it.</param>
    /// <exception cref="OperationCanceledException">It was ended because the run is to end.</exception>
    /// <exception cref="System.ComponentModel.Win32Exception">It could not be started.</exception>
    public static ChildResult Run(
        AnalysisProgram program, IEnumerable<string> arguments, IReadOnlyDictionary<string, string> environment, ChildLimits limits,
        CancellationToken cancellation)
    {
        cancellation.ThrowIfCancellationRequested();
        var clock = Stopwatch.StartNew();
        using Process child = Start(program, arguments, environment, limits);
        using IProcessGroup group = Group(child, limits);
        child.StandardInput.Close();
        Task<ReadOnlyMemory<byte>?> output = CappedReader.All(child.StandardOutput.BaseStream, limits.OutputBytes);
        LastWords errors = new(child.StandardError.BaseStream);
        ChildEnd end;
        long? peak;
        try
        {
            (end, peak) = Watch(child, group, output, limits, clock, cancellation);
        }
        finally
        {
            // Nothing may be left that holds the ends of the pipes, or works on.
            group.End(child.HasExited);
        }

        child.WaitForExit(s_patience);
        bool isRead = Task.WaitAll([output, errors.Reading], s_patience);
        string text = errors.Text;
        ReadOnlyMemory<byte> report = isRead ? output.Result ?? default : default;
        end = isRead && output.Result is null ? ChildEnd.Output : end;
        return new ChildResult(end, end == ChildEnd.Itself && child.HasExited ? child.ExitCode : null, report, CappedReader.LastLine(text), text,
            clock.Elapsed, peak);
    }

    /// <summary>The process with all that it starts.</summary>
    internal static IProcessGroup Group(Process child, ChildLimits limits) =>
        OperatingSystem.IsWindows() ? new WindowsProcessGroup(child, limits) : new LinuxProcessGroup(child.Id);

    /// <summary>Starts it; its standard streams are pipes.</summary>
    internal static Process Start(AnalysisProgram program, IEnumerable<string> arguments, IReadOnlyDictionary<string, string> environment, ChildLimits limits)
    {
        ProcessStartInfo start = new(program.FileName, [.. program.Arguments, .. arguments])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            CreateNoWindow = true,
        };
        foreach ((string name, string value) in environment)
        {
            start.Environment[name] = value;
        }

        ParentBond.Ask(start.Environment, ownGroup: true);
        start.Environment[EnvironmentVariables.HeapHardLimit] = ((long)(limits.Memory * HeapShare)).ToString("x", CultureInfo.InvariantCulture);
        return Process.Start(start) ?? throw new InvalidOperationException("The child process did not start.");
    }

    private static (ChildEnd End, long? Peak) Watch(
        Process child, IProcessGroup group, Task<ReadOnlyMemory<byte>?> output, ChildLimits limits, Stopwatch clock, CancellationToken cancellation)
    {
        long? peak = null;
        ChildProgress progress = new(group, limits);
        while (!child.WaitForExit(s_look))
        {
            cancellation.ThrowIfCancellationRequested();
            peak = group.Memory() is { } now ? Math.Max(peak ?? 0, now) : peak;
            if (clock.Elapsed > limits.Time)
            {
                return (ChildEnd.Time, peak);
            }

            if (peak > limits.Memory)
            {
                return (ChildEnd.Memory, peak);
            }

            if (progress.HasStopped(clock.Elapsed))
            {
                return (ChildEnd.Idle, peak);
            }

            if (output is { IsCompletedSuccessfully: true, Result: null })
            {
                return (ChildEnd.Output, peak);
            }
        }

        return (ChildEnd.Itself, peak);
    }
}

/// <summary>Whether a child gets on, by the processor time that it uses and the bytes that it writes.</summary>
/// <param name="group">The child with all that it starts.</param>
/// <param name="limits">How long it may stand still.</param>
internal sealed class ChildProgress(IProcessGroup group, ChildLimits limits)
{
    // Of one processor. A runtime with nothing to do uses less; who has to share the machine with a hundred others gets more.
    private const double LeastShare = 0.005;
    private static readonly TimeSpan s_between = TimeSpan.FromSeconds(1);
    private TimeSpan _looked;
    private TimeSpan _last;
    private TimeSpan _used;
    private long _written;

    /// <summary>True when it has used no processor time and written nothing for the time of <see cref="ChildLimits.Idle"/>.</summary>
    /// <param name="now">Time since its start. What was looked at less than a second ago is not looked at again.</param>
    public bool HasStopped(TimeSpan now)
    {
        if (limits.Idle is not { } idle || now - _looked < s_between)
        {
            return false;
        }

        _looked = now;
        TimeSpan? used = group.ProcessorTime();
        long written = limits.Written?.Invoke() ?? 0;
        if (used is null || (used.Value - _used).Duration() >= idle * LeastShare || written != _written)
        {
            (_last, _used, _written) = (now, used ?? _used, written);
        }

        return now - _last > idle;
    }
}

/// <summary>The program that analyses one dump.</summary>
/// <param name="FileName">The program.</param>
/// <param name="Arguments">What its command line begins with.</param>
public sealed record AnalysisProgram(string FileName, ImmutableArray<string> Arguments)
{
    /// <summary>This program itself, started as it was started: <c>dotnet dumpanalyze.dll</c> or its own executable.</summary>
    public static AnalysisProgram Own { get; } =
        (Environment.ProcessPath is not { } program ? new AnalysisProgram("dumpanalyze", [])
        : Path.GetFileNameWithoutExtension(program) == "dotnet" ? new AnalysisProgram(program, [Environment.GetCommandLineArgs()[0]])
        : new AnalysisProgram(program, [])) with { HasWorkers = true };

    /// <summary>True when it answers one question after the other where its command is <see cref="AnswerPieces.WorkerCommand"/>.</summary>
    public bool HasWorkers { get; init; }
}
