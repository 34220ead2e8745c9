using System.Collections.Concurrent;
using System.Globalization;

namespace Dump.Testing.Lab;

/// <summary>
/// Real hangs on demand: starts the samples under Wine, dumps them from outside with Microsoft's writer and opens dumps in Microsoft's debugger engine.
/// Set up once per test process; equal requests share one dump.
/// </summary>
public sealed class WineLab
{
    private const int UnavailableExitCode = 3;
    private static readonly TimeSpan SetupLimit = TimeSpan.FromMinutes(20);
    private static readonly TimeSpan RunLimit = TimeSpan.FromMinutes(15);
    private static readonly Lazy<WineLab> Instance = new(() => new WineLab());

    private readonly string directory = Directory.CreateTempSubdirectory("dump-lab-").FullName;
    private readonly ConcurrentDictionary<string, Lazy<LabDump>> dumps = new();

    // Samples that burn processor time would slow each other down until their time limits strike.
    private readonly Lock oneSampleAtATime = new();

    private int repetitions;

    private WineLab()
    {
        AppDomain.CurrentDomain.ProcessExit += (_, _) => Directory.Delete(directory, recursive: true);
        var setup = LabScript.Run("setup.sh", SetupLimit);
        Unavailable = setup.ExitCode switch
        {
            0 => null,
            UnavailableExitCode => setup.Errors,
            _ => throw new InvalidOperationException($"lab/setup.sh ended with {setup.ExitCode}: {setup.Errors}"),
        };
    }

    /// <summary>The lab of this test process; the first use sets it up, which takes minutes on a machine without Wine.</summary>
    public static WineLab Shared => Instance.Value;

    /// <summary>Why the lab cannot be had on this machine, for a skipped test; null when it is ready.</summary>
    public string? Unavailable { get; }

    /// <summary>
    /// The dump of a sample in the state that its options ask for. The samples and their options are described at the head of each source in
    /// <c>samples/native</c>.
    /// </summary>
    /// <exception cref="InvalidOperationException">The lab is unavailable, or the sample did not reach its state.</exception>
    public LabDump Dump(string sample, DumpKind kind, params string[] arguments)
    {
        RequireAvailable();
        var name = string.Join('_', [sample, .. arguments, kind.ToString()]);
        return dumps.GetOrAdd(name, key => new Lazy<LabDump>(() => Record(key, sample, kind, arguments))).Value;
    }

    /// <summary>The same with a comment stream, as procdump writes one; always dumped anew.</summary>
    /// <exception cref="InvalidOperationException">The lab is unavailable, or the sample did not reach its state.</exception>
    public LabDump DumpWithComment(string sample, DumpKind kind, string comment, params string[] arguments)
    {
        RequireAvailable();
        return Record($"commented_{Interlocked.Increment(ref repetitions)}_{sample}", sample, kind, arguments, comment: comment);
    }

    /// <summary>The same, hung and dumped anew: for a test whose shared dump shows that the machine was too busy to make the sample's picture.</summary>
    /// <exception cref="InvalidOperationException">The lab is unavailable, or the sample did not reach its state.</exception>
    public LabDump DumpAgain(string sample, DumpKind kind, params string[] arguments)
    {
        RequireAvailable();
        return Record($"again_{Interlocked.Increment(ref repetitions)}_{sample}", sample, kind, arguments);
    }

    /// <summary>The same of a process that the writer does not stop and whose suspend counts it does not record; always dumped anew.</summary>
    /// <exception cref="InvalidOperationException">The lab is unavailable, or the sample did not reach its state.</exception>
    public LabDump DumpTorn(string sample, DumpKind kind, params string[] arguments)
    {
        RequireAvailable();
        return Record($"torn_{Interlocked.Increment(ref repetitions)}_{sample}", sample, kind, arguments, ["--torn"]);
    }

    /// <summary>Two dumps of one run of a sample, some seconds apart; the second lies beside the first.</summary>
    /// <param name="seconds">Time between them.</param>
    /// <param name="sample">The sample.</param>
    /// <param name="arguments">Its options.</param>
    /// <returns>What the sample said, with the path of the first; and the path of the second.</returns>
    /// <exception cref="InvalidOperationException">The lab is unavailable, or the sample did not reach its state.</exception>
    public (LabDump First, string Second) DumpTwice(int seconds, string sample, params string[] arguments)
    {
        RequireAvailable();
        var first = Record($"twice_{Interlocked.Increment(ref repetitions)}_{sample}", sample, DumpKind.Full, arguments,
            ["--twice", seconds.ToString(CultureInfo.InvariantCulture)]);
        return (first, first.Path[..^".dmp".Length] + "_2.dmp");
    }

    /// <summary>The dump of a sample that crashes, with its exception: as its own filter for unhandled exceptions keeps it, or as a debugger gets it.</summary>
    /// <param name="sample">A scene of <c>samples/native/crash</c>.</param>
    /// <param name="asDebugger">Whether a debugger writes the dump.</param>
    /// <exception cref="InvalidOperationException">The lab is unavailable, or the sample did not reach its state.</exception>
    public LabDump DumpOfCrash(string sample, bool asDebugger)
    {
        RequireAvailable();
        string name = $"crashed_{Interlocked.Increment(ref repetitions)}_{sample}";
        return asDebugger ? Record(name, sample, DumpKind.Full, ["--debugged"], ["--debugger", "crash"]) : Record(name, sample, DumpKind.Full, []);
    }

    /// <summary>The dump of a sample that stands at the breakpoint at which a debugger has stopped it, with that breakpoint as its exception.</summary>
    /// <param name="sample">The sample.</param>
    /// <exception cref="InvalidOperationException">The lab is unavailable, or the sample did not reach its state.</exception>
    public LabDump DumpAtBreakpoint(string sample)
    {
        RequireAvailable();
        return Record($"stopped_{Interlocked.Increment(ref repetitions)}_{sample}", sample, DumpKind.Full, [], ["--debugger", "breakpoint"]);
    }

    /// <summary>A sample hung and dumped into a file that belongs to the caller.</summary>
    /// <exception cref="InvalidOperationException">The lab is unavailable, or the sample did not reach its state.</exception>
    public LabDump DumpTo(string path, string sample, DumpKind kind, params string[] arguments)
    {
        RequireAvailable();
        return RecordTo(path, sample, kind, arguments);
    }

    /// <summary>A sample that crashes, dumped into a file that belongs to the caller.</summary>
    /// <param name="path">The file.</param>
    /// <param name="writer">Who writes the dump: options of <c>lab/hang.sh</c>, for example <c>--debugger crash</c>.</param>
    /// <param name="sample">The sample.</param>
    /// <param name="arguments">Its options.</param>
    /// <exception cref="InvalidOperationException">The lab is unavailable, or the sample did not reach its state.</exception>
    public LabDump DumpOfCrashTo(string path, string[] writer, string sample, params string[] arguments)
    {
        RequireAvailable();
        return RecordTo(path, sample, DumpKind.Full, arguments, writer);
    }

    /// <summary>The lab's Wine prefix.</summary>
    public static string Prefix => Path.Combine(Root, "prefix");

    /// <summary>Where the DLLs of Microsoft's debugger engine lie.</summary>
    public static string DebuggerDirectory => Path.Combine(Root, "debugger");

    /// <summary>Where the built samples lie, with the PDBs that some of them have.</summary>
    public static string SampleDirectory => Path.Combine(Root, "samples");

    private static string Root => Environment.GetEnvironmentVariable("DUMP_LAB_DIRECTORY") is { Length: > 0 } lab ? lab : Path.Combine(Repository.Root, ".lab");

    /// <summary>The name that a Windows program must use for a file of this system.</summary>
    public static string WindowsPath(string path) => "Z:" + Path.GetFullPath(path).Replace('/', '\\');

    /// <summary>What Microsoft's debugger engine prints for the commands; each command's output follows a line <c>&gt; COMMAND</c>.</summary>
    /// <exception cref="InvalidOperationException">The lab is unavailable, or the engine refused the dump or a command.</exception>
    public string RunDebugger(string dump, params string[] commands)
    {
        RequireAvailable();
        var result = LabScript.Run("debugger.sh", RunLimit, [dump, .. commands]);
        return result.ExitCode == 0
            ? result.Output
            : throw new InvalidOperationException($"The debugger ended with {result.ExitCode}: {result.Errors} {result.Output}");
    }

    /// <summary>What Microsoft's debugger engine prints for the commands while it looks at a running sample.</summary>
    /// <param name="sample">The sample.</param>
    /// <param name="stance">How it looks at it.</param>
    /// <param name="arguments">Its options.</param>
    /// <param name="commands">Commands of the debugger or its host.</param>
    /// <returns>The output, and what the sample said of itself.</returns>
    /// <exception cref="InvalidOperationException">The lab is unavailable, the sample did not reach its state or did not outlive the debugger, or the engine
    /// refused a command.</exception>
    public (string Output, LabDump Sample) RunDebuggerOnProcess(string sample, DebuggerStance stance, string[] arguments, params string[] commands)
    {
        RequireAvailable();
        string path = Path.Combine(directory, $"look_{Interlocked.Increment(ref repetitions)}.out");
        Hang([sample, .. arguments, "--", stance switch { DebuggerStance.Attached => "attached", DebuggerStance.Stopping => "stopped", _ => "pid" }, path,
            .. commands]);

        return (File.ReadAllText(path), LabDump.Parse(path, File.ReadLines(Path.ChangeExtension(path, ".roles"))));
    }

    private LabDump Record(string name, string sample, DumpKind kind, string[] arguments, string[]? options = null, string? comment = null) =>
        RecordTo(Path.Combine(directory, name + ".dmp"), sample, kind, arguments, options, comment);

    private LabDump RecordTo(string path, string sample, DumpKind kind, string[] arguments, string[]? options = null, string? comment = null)
    {
        string[] call = [.. options ?? [], sample, .. arguments, "--", kind.ToString().ToLowerInvariant(), path];
        Hang(comment is null ? call : [.. call, comment]);
        return LabDump.Parse(path, File.ReadLines(Path.ChangeExtension(path, ".txt")));
    }

    private void Hang(string[] arguments)
    {
        lock (oneSampleAtATime)
        {
            LabScriptResult result = LabScript.Run("hang.sh", RunLimit, arguments);
            if (result.ExitCode != 0)
            {
                throw new InvalidOperationException($"lab/hang.sh ended with {result.ExitCode}: {result.Errors}");
            }
        }
    }

    private void RequireAvailable()
    {
        if (Unavailable is not null)
        {
            throw new InvalidOperationException(Unavailable);
        }
    }
}
