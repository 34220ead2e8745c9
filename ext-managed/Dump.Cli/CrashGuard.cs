using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using Dump.Model;
using Dump.Readers;
using Dump.Readers.ElfCore;
using Dump.Triage.Children;

namespace Dump.Cli;

/// <summary>
/// Reads Linux cores in a child process, because that runs the data-access library of the dump's runtime: native code which a damaged dump can crash, and which nothing inside of a
/// process can survive. When it does, the report comes without the managed half, and says so, instead of not at all. A file that becomes shorter while it is mapped ends the process that
/// reads it too (Linux: SIGBUS), so minidumps that may still be in the making are read in a child process as well.
/// </summary>
internal static partial class CrashGuard
{
    private const string Marker = "DUMPANALYZE_GUARDED";
    private const int SignalBase = 128;
    private const int EndAtOnce = 9;
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(4);
    private static readonly TimeSpan s_young = TimeSpan.FromHours(1);
    private static int? s_received;

    /// <summary>Why there is no managed half in this run, or null when it is to be read.</summary>
    public static string? Crash { get; private set; }

    /// <summary>Runs the program's command line in a child where that is called for.</summary>
    /// <param name="path">The dump; null or not a core for commands that need no guard.</param>
    /// <param name="arguments">The command line.</param>
    /// <returns>The exit code; null when this process is to do the work itself: it is the child, no guard is needed or possible, or the child has crashed.</returns>
    /// <exception cref="InvalidDumpException">The file became shorter meanwhile.</exception>
    public static int? Run(string? path, string[] arguments)
    {
        if (path is null || OperatingSystem.IsWindows() || Environment.GetEnvironmentVariable(Marker) is not null
            || Environment.ProcessPath is not { } program)
        {
            return null;
        }

        bool isCore = ElfCoreFile.IsElf(path);
        if (!isCore && !IsYoung(path))
        {
            return null;
        }

        long before = LengthOf(path);

        using Process child = Start(program, arguments);
        using PosixSignalRegistration interrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, context => Forward(context, child));
        using PosixSignalRegistration terminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, context => Forward(context, child));
        using PosixSignalRegistration hangUp = PosixSignalRegistration.Create(PosixSignal.SIGHUP, context => Forward(context, child));
        child.WaitForExit();
        if (s_received is { } received && child.ExitCode == SignalBase + EndAtOnce)
        {
            return SignalBase + received;
        }

        if (LengthOf(path) is var now && now < before)
        {
            throw new InvalidDumpException(string.Create(
                CultureInfo.InvariantCulture,
                $"{SafeText.Clean(Path.GetFileName(path))}: the file became shorter while it was read, from {before:N0} to {now:N0} bytes, so nothing that was read of it counts; wait until it is written, or copy it, and analyse it again"));
        }

        if (SignalOf(child.ExitCode) is not { } signal)
        {
            return child.ExitCode;
        }

        if (!isCore)
        {
            Console.Error.WriteLine($"dumpanalyze: internal error, please report it: reading this dump crashed ({signal})");
            return ExitCodes.ToolError;
        }

        Crash = $"the runtime's data-access library crashed on this dump ({signal}), so the dump is damaged";
        return null;
    }

    /// <summary>True for a file that was written to so lately that whoever writes it may not be done.</summary>
    private static bool IsYoung(string path) => File.Exists(path) && DateTime.UtcNow - File.GetLastWriteTimeUtc(path) < s_young;

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

    private static Process Start(string program, string[] arguments)
    {
        // "dotnet dumpanalyze.dll" is started in the same way again.
        bool isHost = Path.GetFileNameWithoutExtension(program) == "dotnet";
        ProcessStartInfo start = new(program, isHost ? [Environment.GetCommandLineArgs()[0], .. arguments] : arguments);
        start.Environment[Marker] = "1";
        ParentBond.Ask(start.Environment, ownGroup: false);
        return Process.Start(start) ?? throw new InvalidOperationException("The child process did not start.");
    }

    /// <summary>The child decides what a signal means, and this process ends when it does; one that hangs inside of foreign code is ended.</summary>
    private static void Forward(PosixSignalContext context, Process child)
    {
        context.Cancel = true;
        int signal = context.Signal switch { PosixSignal.SIGINT => 2, PosixSignal.SIGTERM => 15, _ => 1 };
        s_received ??= signal;
        _ = Kill(child.Id, signal);
        _ = Task.Delay(s_patience).ContinueWith(_ => Kill(child.Id, EndAtOnce), TaskScheduler.Default);
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
