using System.CommandLine;
using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using Dump.Cli.Context;
using Dump.Cli.Options;
using Dump.Clr.Runtimes;
using Dump.Model.Contract;
using Dump.Model.Text;
using Dump.Readers;
using Dump.Readers.Elf;
using Dump.Readers.ElfCore;
using Dump.Triage.Children;

namespace Dump.Cli.Running;

/// <summary>
/// Reads Linux cores of .NET and living processes in a child process, because that runs the data-access library of their runtime: native code which a damaged
/// dump, and now and then a sound one, can crash, and which nothing inside of a process can survive. Then it is tried again without the questions that are known
/// to crash it, and last the report comes without the managed half, and says so, instead of not at all. A core that maps no file of a runtime is read in this
/// process, which lets no library in: one that has a runtime all the same, as a program in a single file, is read in a child then.
/// </summary>
internal static partial class CrashGuard
{
    private const int SignalBase = 128;
    private const int EndAtOnce = 9;
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(4);
    private static readonly TimeSpan s_look = TimeSpan.FromMilliseconds(100);
    private static int? s_received;
    private static volatile int s_child;

    /// <summary>Runs the program's command line in a child where that is called for.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="arguments">The same as it was given.</param>
    /// <returns>The exit code; null when this process is to do the work itself: it is the child, no guard is
    /// needed or possible, or the child has crashed.</returns>
    /// <exception cref="InvalidDumpException">The file became shorter meanwhile.</exception>
    public static int? Run(ParseResult parsed, string[] arguments) => Run(parsed, arguments, isNeeded: false);

    /// <summary>The same, when this process has come to a library that it does not let in.</summary>
    /// <inheritdoc cref="Run(ParseResult, string[])"/>
    public static int? RunWithLibrary(ParseResult parsed, string[] arguments)
    {
        RunContext.Of(parsed).Gate = null;
        return Run(parsed, arguments, isNeeded: true);
    }

    /// <summary>Holds this process to the limits of its command line, where it reads a dump itself and nobody watches over it.</summary>
    /// <returns>What ends that; null where there is nothing to hold.</returns>
    public static IDisposable? Hold(ParseResult parsed) =>
        RunContext.Of(parsed) is { Mark.IsGuarded: false } context && (context.Gate is null || IsWithoutLibrary(context))
        && DumpOptions.HasLimits(parsed) && DumpOptions.FileOf(parsed) is not null ? AnalysisLimits.Of(parsed, SizeOf(parsed)).Hold() : null;

    /// <summary>Bytes of all dumps of a command line.</summary>
    private static long SizeOf(ParseResult parsed) => DumpOptions.FilesOf(parsed).Sum(LengthOf);

    /// <summary>True when this process reads a core as long as it needs no library.</summary>
    public static bool IsWithoutLibrary(RunContext context) => context.Gate is { IsClosed: true };

    private static int? Run(ParseResult parsed, string[] arguments, bool isNeeded)
    {
        var context = RunContext.Of(parsed);
        if (context.Mark.IsGuarded)
        {
            context.OnStall = () => AnalysisLimits.EndNow(ChildProcess.Stalled);
            return null;
        }

        if (OperatingSystem.IsWindows() || Environment.ProcessPath is not { } program)
        {
            return null;
        }

        if (LiveOptions.IsLive(parsed))
        {
            return Forwarding(() => RunWithLibrary(
                context, program, arguments, LiveOptions.Watching(parsed) is { } besides ? AnalysisLimits.Of(parsed, 0, besides) : null, "process", "", () => false));
        }

        if (DumpOptions.FileOf(parsed) is not { } path || !ElfCoreFile.IsElf(path))
        {
            return null;
        }

        if (!isNeeded && MapsNoRuntime(path))
        {
            context.Gate = LibraryGate.Closed();
            return null;
        }

        return Unshortened(path, isShorter => RunWithLibrary(
            context, program, arguments, DumpOptions.HasLimits(parsed) ? AnalysisLimits.Of(parsed, SizeOf(parsed)) : null, "dump", ": the dump is damaged, or the library has a fault", isShorter));
    }

    /// <summary>True for a core that lists the files which it maps, and no runtime among them; false where that cannot be told.</summary>
    private static bool MapsNoRuntime(string path)
    {
        try
        {
            using var core = ElfCoreFile.Open(path);
            return core.MappedFiles.Count > 0 && !core.MappedFiles.Any(f => ClrLibrary.Is(f.Path));
        }
        catch (InvalidDumpException)
        {
            return false;
        }
    }

    /// <summary>Signals go to the child, whichever it is; one that met none is not lost either.</summary>
    private static int? Forwarding(Func<int?> run)
    {
        using PosixSignalRegistration interrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, Forward);
        using PosixSignalRegistration terminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, Forward);
        using PosixSignalRegistration hangUp = PosixSignalRegistration.Create(PosixSignal.SIGHUP, Forward);
        return run() ?? (s_received is { } received ? SignalBase + received : null);
    }

    /// <summary>As usual first, then carefully; null when neither came to an end, and this process is to read without the library.</summary>
    private static int? RunWithLibrary(
        RunContext context, string program, string[] arguments, AnalysisLimits? limits, string target, string cause, Func<bool> isShorter)
    {
        ChildMark guarded = context.Mark with { IsGuarded = true };
        (int? code, string? fault, bool hasCrashed) = RunChild(program, guarded.Before(arguments), limits);
        if (hasCrashed && !isShorter())
        {
            Console.Error.WriteLine($"dumpanalyze: the runtime's data-access library {fault}; this {target} is read again without what is known to crash it");
            (code, fault, _) = RunChild(program, (guarded with { IsCareful = true }).Before(arguments), limits);
        }

        if (fault is not null && !isShorter())
        {
            Console.Error.WriteLine($"dumpanalyze: the runtime's data-access library {fault}; this {target} is read again without its managed half");
            context.Crash = $"the runtime's data-access library {fault.Replace(" (", $" on this {target} (", StringComparison.Ordinal)}{cause}";
        }

        return code;
    }

    /// <summary>Reads in a child process.</summary>
    /// <returns>Its exit code; or none, with what became of the library as a predicate, and whether it crashed.</returns>
    private static (int? Code, string? Fault, bool HasCrashed) RunChild(string program, IEnumerable<string> arguments, AnalysisLimits? limits)
    {
        if (s_received is { } early)
        {
            return (SignalBase + early, null, false);
        }

        using Process child = Start(program, arguments);
        s_child = child.Id;
        string? fault = limits is null ? null : Watch(child, limits);
        if (fault is not null)
        {
            child.Kill(entireProcessTree: true);
        }

        child.WaitForExit();
        s_child = 0;

        // Who wants it to end does not want to see how else it could be read.
        bool isKilled = child.ExitCode == SignalBase + EndAtOnce;
        string? signal = SignalOf(child.ExitCode);
        if (s_received is { } received && (isKilled || signal is not null))
        {
            return (SignalBase + received, null, false);
        }

        if (fault is not null)
        {
            return (null, fault, false);
        }

        if (isKilled)
        {
            Console.Error.WriteLine("dumpanalyze: the reading process was killed from outside, as the system does when memory runs out");
            return (ExitCode.ToolError, null, false);
        }

        return signal is not null ? (null, $"crashed ({signal})", true)
            : child.ExitCode == ChildProcess.Stalled
                ? (null, $"went round in circles (no progress in {ClrReadOptions.StallPatience.TotalSeconds:0} s of processor time)", false)
            : (child.ExitCode, null, false);
    }

    /// <summary>Waits for the end of a child within limits.</summary>
    /// <returns>The limit that it has passed, as a predicate; null when it has ended.</returns>
    private static string? Watch(Process child, AnalysisLimits limits)
    {
        AnalysisLimits.Clock clock = new();
        while (!child.WaitForExit(s_look))
        {
            if (clock.Look() > limits.Time)
            {
                return $"did not come to an end (within {limits.TimeWords}; --timeout TIME allows it more)";
            }

            if (ChildProcess.MemoryOf(child.Id) > limits.Memory)
            {
                return $"took too much memory (more than {limits.MemoryWords}; --memory SIZE allows it more)";
            }
        }

        return null;
    }

    /// <summary>What was read of a file that became shorter meanwhile does not count, crash or no crash.</summary>
    private static int? Unshortened(string path, Func<Func<bool>, int?> run)
    {
        long before = LengthOf(path);
        int? code = Forwarding(() => run(() => LengthOf(path) < before));
        return s_received is null && LengthOf(path) is var now && now < before
            ? throw new InvalidDumpException($"{SafeText.Clean(Path.GetFileName(path))}: the file became shorter while it was read, from "
                + string.Create(CultureInfo.InvariantCulture, $"{before:N0} to {now:N0} bytes, so nothing that was read of it counts; ")
                + "wait until it is written, or copy it, and analyze it again")
            : code;
    }

    /// <summary>Length of the file that a path leads to; 0 when it is gone.</summary>
    private static long LengthOf(string path)
    {
        try
        {
            return (File.ResolveLinkTarget(path, returnFinalTarget: true) as FileInfo ?? new FileInfo(path)).Length;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return 0;
        }
    }

    private static Process Start(string program, IEnumerable<string> arguments)
    {
        // "dotnet dumpanalyze.dll" is started in the same way again.
        bool isHost = Path.GetFileNameWithoutExtension(program) == "dotnet";
        ProcessStartInfo start = new(program, isHost ? [Environment.GetCommandLineArgs()[0], .. arguments] : arguments);
        ParentBond.Ask(start.Environment, ownGroup: false);
        return Process.Start(start) ?? throw new InvalidOperationException("The child process did not start.");
    }

    /// <summary>The child decides what a signal means, and this process ends when it does; one that hangs inside of foreign code is ended.</summary>
    private static void Forward(PosixSignalContext context)
    {
        context.Cancel = true;
        int signal = context.Signal switch { PosixSignal.SIGINT => 2, PosixSignal.SIGTERM => 15, _ => 1 };
        s_received ??= signal;
        if (s_child is > 0 and var id)
        {
            _ = Kill(id, signal);
            _ = Task.Delay(s_patience).ContinueWith(_ => s_child == id && Kill(id, EndAtOnce) == 0, TaskScheduler.Default);
        }
    }

    /// <summary>The signal of a crash by the child's exit code, or null for every other end.</summary>
    private static string? SignalOf(int exitCode) => (exitCode - SignalBase) switch
    {
        4 => "illegal instruction",
        6 => "abort",
        7 => "bus error",
        8 => "arithmetic fault",
        11 => "segmentation fault",
        _ => null,
    };

    [LibraryImport("libc", EntryPoint = "kill")]
    private static partial int Kill(int process, int signal);
}
