using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace Dump.Testing.Lab;

/// <summary>
/// Real managed hangs on this Linux machine: starts a scene of <c>samples/managed</c>, dumps it from outside with the runtime's own <c>createdump</c> and ends
/// it.
/// </summary>
public sealed class LinuxLab : IDisposable
{
    private const string Optimised = "managed-hang-optimised";
    private static readonly TimeSpan DumpLimit = TimeSpan.FromMinutes(5);

    // Scenes that more than one test looks at. A core has some 90 MB, so the others are not kept.
    private static readonly HashSet<string> SharedScenes =
    [
        "async-pending", "collections-broken", "dictionary-cycle", "filter-waits", "hashset-race", "hashtable-writer-gone", "idle", "join-cycle", "lazy-cycle",
        "linkedlist-cycle", "lock-cycle", "lock-orphan", "mixed-cycle", "monitor-cycle2", "monitor-cycle3", "monitor-head-blocker",
        "monitor-many-locks", "monitor-orphan", "monitor-synchronized", "monitor-unrelated", "pool-starvation", "rwlock-cycle",
        "rwlock-reader-blocks-writer", "sortedset-cycle", "sync-over-async-context", "task-wait-cycle", "type-initializer-cycle", "wait-handles",
        "waits",
    ];

    // The same of scenes on other runtimes.
    private static readonly HashSet<(string Scene, string Version)> SharedScenesOn =
        [("monitor-cycle2", "8.0.0"), ("monitor-synchronized", "8.0.0"), ("monitor-unrelated", "8.0.0")];

    private static readonly ConcurrentDictionary<string, Lazy<LabDump>> SharedCores = new();
    private static readonly Lazy<LinuxLab> Keeper = new(() =>
    {
        LinuxLab lab = new();
        AppDomain.CurrentDomain.ProcessExit += (_, _) => lab.Dispose();
        return lab;
    });

    private readonly string directory = Directory.CreateTempSubdirectory("dump-linux-lab-").FullName;

    /// <summary>Why no core can be made on this machine, for a skipped test; null when it can.</summary>
    public static string? Unavailable { get; } =
        !OperatingSystem.IsLinux() || RuntimeInformation.ProcessArchitecture != Architecture.X64 ? "needs Linux on x64"
        : !File.Exists(CreateDump) ? $"the .NET runtime here has no createdump ({CreateDump})"
        : null;

    // What the runtime does by itself to methods that are called often, at once and to all of them.
    private static (string Name, string Value)[] Warm => [("DOTNET_TieredCompilation", "0"), ("DOTNET_ReadyToRun", "0")];

    /// <summary>The configuration that the tests were built in, as the name of a folder.</summary>
    internal static string Configuration => Path.GetFileName(Path.TrimEndingDirectorySeparator(AppContext.BaseDirectory));

    private static string CreateDump => Path.Combine(RuntimeEnvironment.GetRuntimeDirectory(), "createdump");

    // Test assemblies lie in artifacts/bin/PROJECT/CONFIGURATION, those for several frameworks in CONFIGURATION_FRAMEWORK.
    private static string Sample(int majorVersion, string name = "managed-hang") => Path.Combine(
        Repository.Root, "artifacts", "bin", name, $"{Configuration}_{(majorVersion < 5 ? "netcoreapp3.1" : $"net{majorVersion}.0")}", $"{name}.dll");

    /// <summary>The core of a scene, which other tests may look at too: not to be changed.</summary>
    /// <param name="scene">Name of the scene.</param>
    /// <exception cref="InvalidOperationException">The scene did not reach its state, or createdump failed.</exception>
    public LabDump Dump(string scene) => SharedScenes.Contains(scene)
        ? SharedCores.GetOrAdd(scene, name => new Lazy<LabDump>(() => Keeper.Value.DumpAnew(name))).Value
        : DumpAnew(scene);

    /// <summary>A core that is the caller's own.</summary>
    /// <param name="scene">Name of the scene.</param>
    /// <param name="kind">createdump's word: <c>full</c>, <c>withheap</c>, <c>normal</c> or <c>triage</c>.</param>
    /// <param name="environment">Variables for the scene's runtime.</param>
    /// <exception cref="InvalidOperationException">The scene did not reach its state, or createdump failed.</exception>
    public LabDump DumpAnew(string scene, string kind = "withheap", params (string Name, string Value)[] environment) =>
        Dump(new ProcessStartInfo("dotnet", [Sample(Environment.Version.Major), scene]), CreateDump, scene, kind, environment);

    /// <summary>The core of a scene that runs on another runtime.</summary>
    /// <param name="scene">Name of the scene.</param>
    /// <param name="version">Exact version of the runtime, for example <c>8.0.0</c>.</param>
    /// <param name="framework">Directory of that runtime.</param>
    /// <param name="kind">createdump's word; null for what names all methods on that runtime: .NET Core 3.1 leaves the metadata of the program out of a core
    /// with heap.</param>
    [SupportedOSPlatform("linux")]
    public LabDump DumpOn(string scene, string version, string framework, string? kind = null) => kind is null && SharedScenesOn.Contains((scene, version))
        ? SharedCores.GetOrAdd($"{scene} {version}", _ => new Lazy<LabDump>(() => Keeper.Value.DumpAnewOn(scene, version, framework, null))).Value
        : DumpAnewOn(scene, version, framework, kind);

    [SupportedOSPlatform("linux")]
    private LabDump DumpAnewOn(string scene, string version, string framework, string? kind) => Dump(
        OnPrivateRuntime(scene, version, []), Path.Combine(framework, "createdump"), scene,
        kind ?? (version.StartsWith("3.", StringComparison.Ordinal) ? "full" : "withheap"),
        [("DOTNET_ROOT", PrivateRuntimes.Shared.Root), ("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT", "1")]);

    /// <summary>Starts a scene whose async methods the runtime suspends itself, without state machines, and leaves it running.</summary>
    /// <param name="scene">Name of the scene.</param>
    /// <param name="version">Exact version of the runtime, from .NET 11 on.</param>
    /// <exception cref="InvalidOperationException">The scene did not reach its state.</exception>
    [SupportedOSPlatform("linux")]
    public static LiveScene StartRuntimeAsync(string scene, string version) => SceneProgram.Start(
        OnPrivateRuntime(["exec", "--fx-version", version, Path.Combine(Repository.Root, "artifacts", "bin", "managed-hang-runtime-async", Configuration,
            "managed-hang-runtime-async.dll"), scene]), scene, [("DOTNET_ROOT", PrivateRuntimes.Shared.Root)]);

    /// <summary>Starts a scene on another runtime and leaves it running.</summary>
    /// <param name="scene">Name of the scene.</param>
    /// <param name="version">Exact version of the runtime.</param>
    /// <param name="wrapper">A program with its first arguments that starts the scene in its own place.</param>
    [SupportedOSPlatform("linux")]
    public static LiveScene StartOn(string scene, string version, params string[] wrapper) =>
        SceneProgram.Start(OnPrivateRuntime(scene, version, wrapper), scene, [("DOTNET_ROOT", PrivateRuntimes.Shared.Root)]);

    [SupportedOSPlatform("linux")]
    private static ProcessStartInfo OnPrivateRuntime(string scene, string version, string[] wrapper, string program = "managed-hang")
    {
        // What was built for the installed .NET runs on a later one.
        string sample = Sample(Math.Min(int.Parse(version.Split('.')[0], CultureInfo.InvariantCulture), Environment.Version.Major), program);
        return OnPrivateRuntime(["exec", "--fx-version", version, sample, scene], wrapper);
    }

    [SupportedOSPlatform("linux")]
    private static ProcessStartInfo OnPrivateRuntime(string[] arguments, params string[] wrapper)
    {
        string[] command = [.. wrapper, Path.Combine(PrivateRuntimes.Shared.Root, "dotnet"), .. arguments];
        return new ProcessStartInfo(command[0], command[1..]);
    }

    /// <summary>Starts a scene and leaves it running.</summary>
    /// <param name="scene">Name of the scene.</param>
    /// <exception cref="InvalidOperationException">The scene did not reach its state.</exception>
    public static LiveScene Start(string scene) => StartWith(scene);

    /// <summary>
    /// Starts a scene that is no child of this process, for a test that traces it from this process: .NET takes a child that a tracer has stopped for one that
    /// has ended, and then looks for ended children for ever, with the lock held that every start of a process needs.
    /// </summary>
    /// <param name="scene">Name of the scene.</param>
    /// <exception cref="InvalidOperationException">The scene did not reach its state.</exception>
    public static LiveScene StartApart(string scene) =>
        SceneProgram.Start(new ProcessStartInfo("bash", ["-c", "dotnet \"$0\" \"$1\" & echo process $!; wait", Sample(Environment.Version.Major), scene]),
            scene, []);

    /// <summary>Starts a scene by the program's own executable, as programs mostly are, and leaves it running.</summary>
    /// <param name="scene">Name of the scene.</param>
    /// <exception cref="InvalidOperationException">The scene did not reach its state.</exception>
    public static LiveScene StartByOwnExecutable(string scene) => SceneProgram.Start(
        new ProcessStartInfo(Path.ChangeExtension(Sample(Environment.Version.Major), null), [scene]), scene,
        [("DOTNET_ROOT", Path.GetFullPath(Path.Combine(RuntimeEnvironment.GetRuntimeDirectory(), "..", "..", "..")))]);

    /// <summary>Starts a scene as in a container: it knows its threads by other ids than this process does. Needs the rights to make a namespace.</summary>
    /// <param name="scene">Name of the scene.</param>
    /// <param name="withUsers">True for a container that has its own user ids too.</param>
    /// <exception cref="InvalidOperationException">The scene did not reach its state, or there are no such rights.</exception>
    [SupportedOSPlatform("linux")]
    public static LiveScene StartInNamespace(string scene, bool withUsers = false) => SceneProgram.Start(
        new ProcessStartInfo("unshare", [.. NativeLinuxLab.Namespaces(withUsers), "dotnet", Sample(Environment.Version.Major), scene]), scene, [],
        find: parent => int.Parse(File.ReadAllText($"/proc/{parent}/task/{parent}/children"), CultureInfo.InvariantCulture));

    /// <summary>Starts a scene of a program in a single file as in a container.</summary>
    /// <param name="scene">Name of the scene.</param>
    /// <param name="program">Path of the program.</param>
    /// <exception cref="InvalidOperationException">The scene did not reach its state, or there are no such rights.</exception>
    [SupportedOSPlatform("linux")]
    public static LiveScene StartProgramInNamespace(string scene, string program) => SceneProgram.Start(
        new ProcessStartInfo("unshare", [.. NativeLinuxLab.Namespaces(withUsers: false), program, scene]), scene, [],
        find: parent => int.Parse(File.ReadAllText($"/proc/{parent}/task/{parent}/children"), CultureInfo.InvariantCulture));

    /// <summary>
    /// Starts a scene as it runs in production: a release build whose code, and the class library's, is compiled with all optimisations, as after some time of
    /// use.
    /// </summary>
    /// <param name="scene">Name of the scene.</param>
    /// <exception cref="InvalidOperationException">The scene did not reach its state.</exception>
    public static LiveScene StartWarm(string scene) => StartOptimised(scene, Warm);

    /// <summary>Starts a scene on another runtime, which compiles its own code with all optimisations, and leaves it running.</summary>
    /// <param name="scene">Name of the scene.</param>
    /// <param name="version">Exact version of the runtime.</param>
    [SupportedOSPlatform("linux")]
    public static LiveScene StartWarmOn(string scene, string version) => SceneProgram.Start(OnPrivateRuntime(scene, version, []), scene,
        [("DOTNET_ROOT", PrivateRuntimes.Shared.Root), ("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT", "1"), .. Warm]);

    /// <summary>Starts a scene of a program that brings its own runtime and leaves it running.</summary>
    /// <param name="scene">Name of the scene.</param>
    /// <param name="program">Path of the program.</param>
    /// <exception cref="InvalidOperationException">The scene did not reach its state.</exception>
    public static LiveScene StartProgram(string scene, string program) => SceneProgram.Start(new ProcessStartInfo(program, [scene]), scene, []);

    /// <summary>The program of the scenes, with what it needs beside it.</summary>
    public static string Program => Sample(Environment.Version.Major);

    /// <summary>Starts a scene of a copy of the program and leaves it running.</summary>
    /// <param name="scene">Name of the scene.</param>
    /// <param name="library">Path of the copy of <see cref="Program"/>.</param>
    /// <exception cref="InvalidOperationException">The scene did not reach its state.</exception>
    public static LiveScene StartCopy(string scene, string library) => SceneProgram.Start(new ProcessStartInfo("dotnet", [library, scene]), scene, []);

    /// <summary>Starts a scene with variables for its runtime.</summary>
    /// <param name="scene">Name of the scene.</param>
    /// <param name="environment">The variables.</param>
    /// <exception cref="InvalidOperationException">The scene did not reach its state.</exception>
    public static LiveScene StartWith(string scene, params (string Name, string Value)[] environment) =>
        SceneProgram.Start(new ProcessStartInfo("dotnet", [Sample(Environment.Version.Major), scene]), scene, environment);

    /// <summary>Starts a scene of a release build with variables for its runtime.</summary>
    /// <param name="scene">Name of the scene.</param>
    /// <param name="environment">The variables.</param>
    /// <exception cref="InvalidOperationException">The scene did not reach its state.</exception>
    public static LiveScene StartOptimised(string scene, params (string Name, string Value)[] environment) =>
        SceneProgram.Start(new ProcessStartInfo("dotnet", [Sample(Environment.Version.Major, Optimised), scene]), scene, environment);

    /// <summary>Starts a program whose tasks run a lambda that the runtime has compiled into its caller, on all workers of the pool.</summary>
    /// <exception cref="InvalidOperationException">It did not reach its state.</exception>
    public static LiveScene StartInlined() => SceneProgram.Start(
        new ProcessStartInfo("dotnet", [Path.Combine(Repository.Root, "artifacts", "bin", "managed-hang-inlined", Configuration, "managed-hang-inlined.dll")]), "inlined", []);

    /// <summary>The same on another runtime.</summary>
    /// <param name="scene">Name of the scene.</param>
    /// <param name="version">Exact version of the runtime, from .NET 8 on.</param>
    /// <param name="environment">The variables.</param>
    /// <exception cref="InvalidOperationException">The scene did not reach its state.</exception>
    [SupportedOSPlatform("linux")]
    public static LiveScene StartOptimisedOn(string scene, string version, params (string Name, string Value)[] environment) => SceneProgram.Start(
        OnPrivateRuntime(scene, version, [], Optimised), scene,
        [("DOTNET_ROOT", PrivateRuntimes.Shared.Root), ("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT", "1"), .. environment]);

    /// <summary>The core of a scene that runs on another runtime.</summary>
    /// <param name="scene">The scene.</param>
    /// <param name="name">Name of the file without its ending.</param>
    /// <param name="framework">Directory of that runtime.</param>
    public LabDump DumpOn(LiveScene scene, string name, string framework) => Dump(scene, Path.Combine(framework, "createdump"), name, "withheap");

    /// <summary>The core of a scene that is running.</summary>
    /// <param name="scene">The scene.</param>
    /// <param name="name">Name of the file without its ending.</param>
    /// <param name="kind">createdump's word.</param>
    public LabDump Dump(LiveScene scene, string name, string kind = "withheap") => Dump(scene, CreateDump, name, kind);

    /// <summary>The core of a scene by gdb's gcore.</summary>
    /// <param name="scene">Name of the scene.</param>
    /// <param name="filter">What /proc/PID/coredump_filter is set to, for example <c>0x33</c>, the kernel's default.</param>
    /// <exception cref="InvalidOperationException">The scene did not reach its state, or gcore failed.</exception>
    public LabDump DumpByDebugger(string scene, string filter)
    {
        using LiveScene running = Start(scene);
        File.WriteAllText($"/proc/{running.ProcessId}/coredump_filter", filter);
        string prefix = Path.Combine(directory, $"{scene}.{filter}.gcore");
        Run(new ProcessStartInfo("gcore", ["-o", prefix, $"{running.ProcessId}"]));
        return LabDump.Parse($"{prefix}.{running.ProcessId}", running.Lines);
    }

    /// <summary>The core of a scene by the kernel, which ends the scene's process for it. It lies in the process' current directory.</summary>
    /// <param name="scene">Name of the scene.</param>
    /// <param name="filter">What /proc/PID/coredump_filter is set to.</param>
    /// <exception cref="InvalidOperationException">The scene did not reach its state, or the kernel wrote no core.</exception>
    public LabDump DumpByKernel(string scene, string filter)
    {
        string place = Directory.CreateDirectory(Path.Combine(directory, $"{scene}.{filter}.kernel")).FullName;
        ProcessStartInfo start = new("bash", ["-c", "ulimit -c unlimited; exec dotnet \"$0\" \"$1\"", Sample(Environment.Version.Major),
            scene]) { WorkingDirectory = place };
        using LiveScene running = SceneProgram.Start(start, scene, []);
        File.WriteAllText($"/proc/{running.ProcessId}/coredump_filter", filter);
        running.Signal("SYS");
        running.WaitForEnd(DumpLimit);
        string core = Directory.EnumerateFiles(place).SingleOrDefault() ?? throw new InvalidOperationException("The kernel wrote no core.");
        return LabDump.Parse(core, running.Lines);
    }

    /// <summary>The core of a scene that crashes, as the runtime has it written by createdump or leaves it to the kernel.</summary>
    /// <param name="scene">Name of the scene.</param>
    /// <param name="byKernel">True for the kernel's.</param>
    /// <returns>The core's path.</returns>
    /// <exception cref="InvalidOperationException">There is no core.</exception>
    public string DumpOfCrash(string scene, bool byKernel) =>
        CrashedProgram.Core(Path.Combine(directory, $"{scene}.{(byKernel ? "kernel" : "createdump")}.crash"), Sample(Environment.Version.Major), scene,
            byKernel);

    private LabDump Dump(ProcessStartInfo start, string createDump, string scene, string kind, (string Name, string Value)[] environment)
    {
        using LiveScene running = SceneProgram.Start(start, scene, environment);
        return Dump(running, createDump, scene, kind);
    }

    private LabDump Dump(LiveScene scene, string createDump, string name, string kind)
    {
        string core = Path.Combine(directory, $"{name}.{Path.GetFileName(Path.GetDirectoryName(createDump))}.{kind}.core");
        for (int attempt = 1; ; attempt++)
        {
            try
            {
                Run(new ProcessStartInfo(createDump, [$"--{kind}", "-f", core, $"{scene.ProcessId}"]));
                return LabDump.Parse(core, scene.Lines);
            }
            catch (InvalidOperationException error) when (attempt < 3 && error.Message.Contains("ptrace(ATTACH", StringComparison.Ordinal))
            {
                // createdump gives up when one of the threads that it has listed ends before it is stopped; a thread of the runtime that nobody needs does
                // that.
            }
        }
    }

    private static void Run(ProcessStartInfo start)
    {
        start.RedirectStandardOutput = true;
        start.RedirectStandardError = true;
        using Process writer = Process.Start(start) ?? throw new InvalidOperationException($"{start.FileName} did not start.");
        Task<string> output = writer.StandardOutput.ReadToEndAsync();
        Task<string> errors = writer.StandardError.ReadToEndAsync();
        if (!writer.WaitForExit(DumpLimit))
        {
            writer.Kill(entireProcessTree: true);
            throw new InvalidOperationException($"{start.FileName} did not end.");
        }

        if (writer.ExitCode != 0)
        {
            throw new InvalidOperationException($"{start.FileName} failed: {output.Result} {errors.Result}");
        }
    }

    /// <inheritdoc/>
    public void Dispose() => Directory.Delete(directory, recursive: true);
}
