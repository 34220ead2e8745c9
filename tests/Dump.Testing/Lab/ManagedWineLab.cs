using System.Collections.Concurrent;
using System.Globalization;

namespace Dump.Testing.Lab;

/// <summary>
/// Real managed hangs on Windows runtimes under Wine: starts a scene of <c>samples/managed</c> or <c>samples/managed-old</c> on exactly one runtime and dumps
/// it with Microsoft's writer. Its dumps, some 120 MB each, disappear with it.
/// </summary>
public sealed class ManagedWineLab : IDisposable
{
    private static readonly TimeSpan BuildLimit = TimeSpan.FromMinutes(30);
    private static readonly TimeSpan RunLimit = TimeSpan.FromMinutes(15);
    private static readonly Lazy<(string? Directory, string? Unavailable)> WindowsBuild = new(() => Make("windows-build.sh"));

    // Those that more than one test looks at; the others are not kept.
    private static readonly HashSet<(string Version, string Scene)> SharedScenes =
    [
        ("2.0.0", "dictionary-spin"), ("8.0.30", "monitor-cycle2"), ("10.0.12", "dictionary-cycle"), ("10.0.12", "idle"), ("10.0.12", "monitor-cycle3"),
    ];

    private static readonly ConcurrentDictionary<(string Version, string Scene), Lazy<LabDump>> SharedDumps = new();
    private static readonly Lazy<ManagedWineLab> Keeper = new(() =>
    {
        ManagedWineLab lab = new();
        AppDomain.CurrentDomain.ProcessExit += (_, _) => lab.Dispose();
        return lab;
    });

    private readonly string directory = Directory.CreateTempSubdirectory("dump-managed-lab-").FullName;

    /// <summary>Directory of <c>dumpanalyze.exe</c>.</summary>
    public static string Program => WindowsBuild.Value.Directory ?? throw new InvalidOperationException(WindowsBuild.Value.Unavailable);

    /// <summary>Why no Windows runtime can be run or read on this machine, for a skipped test; null when it can.</summary>
    public static string? Unavailable => WineLab.Shared.Unavailable ?? WindowsBuild.Value.Unavailable;

    /// <summary>The directory of a Windows runtime.</summary>
    /// <param name="version">Exact version, for example <c>8.0.30</c>.</param>
    /// <returns>The directory, or null with the reason when its package cannot be had.</returns>
    public static (string? Directory, string? Unavailable) Runtime(string version) => Make("windows-runtime.sh", version);

    /// <summary>The dump of a scene, which other tests may look at too: not to be changed.</summary>
    /// <param name="version">Exact version of the runtime; its directory must be there.</param>
    /// <param name="scene">Name of the scene.</param>
    /// <exception cref="InvalidOperationException">The scene did not reach its state, or the dump was not written.</exception>
    public LabDump Dump(string version, string scene) => SharedScenes.Contains((version, scene))
        ? SharedDumps.GetOrAdd((version, scene), key => new Lazy<LabDump>(() => Keeper.Value.DumpAnew(key.Version, key.Scene))).Value
        : DumpAnew(version, scene);

    /// <summary>A dump of a scene that is the caller's own.</summary>
    /// <param name="version">Exact version of the runtime; its directory must be there.</param>
    /// <param name="scene">Name of the scene.</param>
    /// <param name="runtime">The runtime's directory, where it is not that of <see cref="Runtime"/>.</param>
    /// <param name="program">The program of the scenes, where it is not that of <see cref="Sample"/>.</param>
    /// <exception cref="InvalidOperationException">The scene did not reach its state, or the dump was not written.</exception>
    public LabDump DumpAnew(string version, string scene, string? runtime = null, string? program = null)
    {
        runtime ??= Runtime(version).Directory ?? throw new InvalidOperationException($"The runtime {version} is not there.");
        return WineLab.Shared.DumpTo(NewPath($"{version}-{scene}.dmp"), "managed-host", DumpKind.Full, WineLab.WindowsPath(runtime),
            WineLab.WindowsPath(program ?? Sample(version)), scene);
    }

    /// <summary>A dump of a scene that crashes, or stands at a debugger's breakpoint.</summary>
    /// <param name="version">Exact version of the runtime; its directory must be there.</param>
    /// <param name="scene">Name of the scene.</param>
    /// <param name="writer">Who writes the dump: options of <c>lab/hang.sh</c>, for example <c>--own</c>.</param>
    /// <exception cref="InvalidOperationException">The scene did not reach its state, or the dump was not written.</exception>
    public LabDump DumpOfCrash(string version, string scene, params string[] writer)
    {
        string[] command = Command(version, scene);
        return WineLab.Shared.DumpOfCrashTo(NewPath($"{version}-{scene}.dmp"), writer, command[0], command[1..]);
    }

    /// <summary>A path for another file that disappears with this lab.</summary>
    public string NewPath(string name) => Path.Combine(directory, name);

    /// <summary>The sample and options that play a scene, for <see cref="ExtensionLab.RunOnProcess"/>.</summary>
    /// <param name="version">As for <see cref="Dump"/>.</param>
    /// <param name="scene">Name of the scene.</param>
    /// <exception cref="InvalidOperationException">The runtime is not there.</exception>
    public static string[] Command(string version, string scene)
    {
        string runtime = Runtime(version).Directory ?? throw new InvalidOperationException($"The runtime {version} is not there.");
        return ["managed-host", WineLab.WindowsPath(runtime), WineLab.WindowsPath(Sample(version)), scene];
    }

    /// <summary>What the win-x64 build of the program prints on a dump under Wine, standard error included.</summary>
    /// <param name="dump">Path of the dump.</param>
    /// <param name="options">Options; those that are paths as Windows paths.</param>
    public static string RunProgram(string dump, params string[] options) => LabScript.Run("windows-program.sh", RunLimit, [dump, .. options]).Output;

    /// <summary>The same of one of its commands.</summary>
    /// <param name="command">The command, for example <c>lockchain</c>.</param>
    /// <param name="dump">Path of the dump.</param>
    /// <param name="options">Options; those that are paths as Windows paths.</param>
    public static string RunCommand(string command, string dump, params string[] options) =>
        LabScript.Run("windows-program.sh", RunLimit, ["--command", command, dump, .. options]).Output;

    /// <summary>The program of the managed samples for a runtime, with its symbols beside it.</summary>
    /// <param name="version">Version of the runtime.</param>
    /// <exception cref="InvalidOperationException">The sample for an old runtime was not built.</exception>
    public static string Sample(string version)
    {
        // Test assemblies lie in artifacts/bin/PROJECT/CONFIGURATION, those for several frameworks in CONFIGURATION_FRAMEWORK.
        int major = int.Parse(version.Split('.')[0], CultureInfo.InvariantCulture);
        string configuration = Path.GetFileName(Path.TrimEndingDirectorySeparator(AppContext.BaseDirectory));
        return major >= 8
            ? Path.Combine(Repository.Root, "artifacts", "bin", "managed-hang", $"{configuration}_net{major}.0", "managed-hang.dll")
            : Make("old-sample.sh", version) is { Directory: { } old } ? old : throw new InvalidOperationException($"The sample for {version} was not built.");
    }

    public void Dispose() => Directory.Delete(directory, recursive: true);

    private static (string? Directory, string? Unavailable) Make(string script, params string[] arguments)
    {
        const int UnavailableExitCode = 3;
        LabScriptResult result = LabScript.Run(script, BuildLimit, arguments);
        return result.ExitCode switch
        {
            0 => (result.Output.Trim(), null),
            UnavailableExitCode => (null, result.Errors),
            _ => throw new InvalidOperationException($"lab/{script} ended with {result.ExitCode}: {result.Errors}"),
        };
    }
}
