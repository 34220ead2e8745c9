using System.ComponentModel;
using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace Dump.Testing.Lab;

/// <summary>Real hangs in the locks of the C library: the scenes of <c>samples/linux</c>, built once by the compiler of this machine.</summary>
[SupportedOSPlatform("linux")]
public static class NativeLinuxLab
{
    private const string Compiler = "g++";
    private const string MuslCompiler = "musl-gcc";
    private const string RustCompiler = "rustc";

    // Debian's own, where another one comes first on the path.
    private const string DebianRustCompiler = "/usr/bin/rustc";
    private const string CCompiler = "gcc";
    private static readonly TimeSpan s_buildLimit = TimeSpan.FromMinutes(5);

    private static readonly Lazy<(string? Directory, string? Unavailable)> s_built = new(Build);
    private static readonly Lazy<(string? Directory, string? Unavailable)> s_builtForMusl = new(() => BuildOther(
        directory => Compile(MuslCompiler, "musl-hang.c", Path.Combine(directory, "musl-hang"), "-O2", "-g", "-Wall", "-Wextra")
            ?? Compile(MuslCompiler, "musl-hang.c", Path.Combine(directory, "musl-hang-static"), "-O2", "-g", "-static", "-Wl,--build-id")));
    private static readonly Lazy<(string? Directory, string? Unavailable)> s_builtInRust = new(() => BuildOther(
        directory => Compile(RustCompiler, "rust-hang.rs", Path.Combine(directory, "rust-hang"), "-O", "-g")));

    private static readonly Lazy<(string? Directory, string? Unavailable)> s_builtInDebianRust = new(() => BuildOther(
        directory => Compile(DebianRustCompiler, "rust-hang.rs", Path.Combine(directory, "rust-hang"), "-O", "-g")));

    private static readonly Lazy<(string? Directory, string? Unavailable)> s_builtInC = new(() => BuildOther(
        directory => Compile(CCompiler, "musl-hang.c", Path.Combine(directory, "c-hang"), "-O2", "-g", "-pthread")
            ?? Compile(CCompiler, "musl-hang.c", Path.Combine(directory, "c-hang-without-tables"), "-O2", "-g", "-pthread", "-fno-asynchronous-unwind-tables",
                "-fno-unwind-tables")));

    /// <summary>Why no scene can be made on this machine, for a skipped test; null when they can.</summary>
    public static string? Unavailable => s_built.Value.Unavailable;

    /// <summary>Why no scene of musl can be made on this machine, for a skipped test; null when they can.</summary>
    public static string? MuslUnavailable => s_builtForMusl.Value.Unavailable;

    /// <summary>Why no scene in Rust can be made on this machine, for a skipped test; null when they can.</summary>
    public static string? RustUnavailable => s_builtInRust.Value.Unavailable;

    /// <summary>Why no scene by Debian's Rust can be made on this machine, for a skipped test; null when they can.</summary>
    public static string? DebianRustUnavailable => s_builtInDebianRust.Value.Unavailable;

    /// <summary>Why no scene in C on glibc can be made on this machine, for a skipped test; null when they can.</summary>
    public static string? CUnavailable => s_builtInC.Value.Unavailable;

    /// <summary>The scenes in C, which those of musl are too, on glibc.</summary>
    public static string CProgram => Path.Combine(s_builtInC.Value.Directory!, "c-hang");

    /// <summary>The same without tables for exceptions: how its frames are walked debug data alone tells.</summary>
    public static string ProgramWithoutTables => Path.Combine(s_builtInC.Value.Directory!, "c-hang-without-tables");

    /// <summary>The scenes of musl, linked dynamically.</summary>
    public static string MuslProgram => Path.Combine(s_builtForMusl.Value.Directory!, "musl-hang");

    /// <summary>The scenes of musl, linked statically.</summary>
    public static string StaticMuslProgram => Path.Combine(s_builtForMusl.Value.Directory!, "musl-hang-static");

    /// <summary>The scenes in Rust.</summary>
    public static string RustProgram => Path.Combine(s_builtInRust.Value.Directory!, "rust-hang");

    /// <summary>The scenes in Rust, by Debian's compiler.</summary>
    public static string DebianRustProgram => Path.Combine(s_builtInDebianRust.Value.Directory!, "rust-hang");

    /// <summary>The program.</summary>
    public static string Program => Path.Combine(s_built.Value.Directory!, "native-hang");

    /// <summary>Starts a scene, and waits until it stands.</summary>
    /// <param name="scene">Name of the scene.</param>
    /// <param name="rests">False for a scene that goes on.</param>
    /// <exception cref="InvalidOperationException">It did not reach its state.</exception>
    public static LiveScene Start(string scene, bool rests = true) => SceneProgram.Start(new ProcessStartInfo(Program, Arguments(scene)), scene, [], rests);

    /// <summary>Starts a scene with an argument, and waits until it stands.</summary>
    /// <param name="scene">Name of the scene.</param>
    /// <param name="argument">Its argument.</param>
    /// <exception cref="InvalidOperationException">It did not reach its state.</exception>
    public static LiveScene StartWith(string scene, string argument) => SceneProgram.Start(new ProcessStartInfo(Program, [scene, argument]), scene, []);

    private static string[] Arguments(string scene) => scene == "load" ? [scene, Path.Combine(s_built.Value.Directory!, "libloading.so")] : [scene];

    /// <summary>Starts a scene of another form of the program.</summary>
    /// <param name="scene">Name of the scene, one that needs no library.</param>
    /// <param name="program">Path of the program.</param>
    /// <exception cref="InvalidOperationException">It did not reach its state.</exception>
    public static LiveScene StartProgram(string scene, string program) => StartProgram(scene, program, rests: true);

    /// <summary>Starts a scene of another form of the program.</summary>
    /// <param name="scene">Name of the scene, one that needs no library.</param>
    /// <param name="program">Path of the program.</param>
    /// <param name="rests">False for a scene that goes on.</param>
    /// <exception cref="InvalidOperationException">It did not reach its state.</exception>
    public static LiveScene StartProgram(string scene, string program, bool rests) =>
        SceneProgram.Start(new ProcessStartInfo(program, [scene]), scene, [], rests);

    /// <summary>Starts a scene as in a container: it knows its threads by other ids than this process does. Needs the rights to make a namespace.</summary>
    /// <param name="scene">Name of the scene.</param>
    /// <param name="withUsers">True for a container that has its own user ids too.</param>
    /// <exception cref="InvalidOperationException">It did not reach its state, or there are no such rights.</exception>
    public static LiveScene StartInNamespace(string scene, bool withUsers = false) => SceneProgram.Start(
        new ProcessStartInfo("unshare", [.. Namespaces(withUsers), Program, scene]), scene, [],
        find: parent => int.Parse(File.ReadAllText($"/proc/{parent}/task/{parent}/children"), CultureInfo.InvariantCulture));

    /// <summary>The core that the kernel writes of a scene when somebody ends it, in a folder that is the caller's to remove.</summary>
    /// <param name="scene">Name of the scene.</param>
    /// <param name="place">The folder.</param>
    /// <param name="program">Another form of the program; null for <see cref="Program"/>.</param>
    /// <exception cref="InvalidOperationException">There is no core.</exception>
    public static string CoreByKernel(string scene, string place, string? program = null)
    {
        string[] command = program is null ? [Program, .. Arguments(scene)] : [program, scene];
        ProcessStartInfo start = new("bash", ["-c", "ulimit -c unlimited; exec \"$0\" \"$@\"", .. command]) { WorkingDirectory = place };
        using (LiveScene running = SceneProgram.Start(start, scene, []))
        {
            running.Signal("ABRT");
            running.WaitForEnd(s_buildLimit);
        }

        return Directory.EnumerateFiles(place, "core*").SingleOrDefault() ?? throw new InvalidOperationException("There is no core.");
    }

    /// <summary>The core that gcore writes of a scene, in a folder that is the caller's to remove.</summary>
    /// <param name="scene">Name of the scene.</param>
    /// <param name="place">The folder.</param>
    /// <param name="rests">False for a scene whose threads go on.</param>
    /// <exception cref="InvalidOperationException">There is no core.</exception>
    public static string CoreByDebugger(string scene, string place, bool rests = true)
    {
        using LiveScene running = Start(scene, rests: rests);
        return CoreByDebugger(running, place);
    }

    /// <summary>The core that gcore writes of a program that is running.</summary>
    /// <param name="running">The program.</param>
    /// <param name="place">A folder that is the caller's to remove.</param>
    /// <exception cref="InvalidOperationException">There is no core.</exception>
    public static string CoreByDebugger(LiveScene running, string place)
    {
        string prefix = Path.Combine(place, "debugger");
        using Process writer = Process.Start(
            new ProcessStartInfo("gcore", ["-o", prefix, $"{running.ProcessId}"]) { RedirectStandardOutput = true, RedirectStandardError = true })!;
        Task<string> errors = writer.StandardError.ReadToEndAsync();
        writer.StandardOutput.ReadToEnd();
        return writer.WaitForExit(s_buildLimit) && writer.ExitCode == 0 ? $"{prefix}.{running.ProcessId}"
            : throw new InvalidOperationException($"There is no core: {errors.Result}");
    }

    /// <summary>Arguments of <c>unshare</c> for a container.</summary>
    internal static string[] Namespaces(bool withUsers) =>
        withUsers ? ["--user", "--map-root-user", "--pid", "--fork", "--mount-proc"] : ["--pid", "--fork", "--mount-proc"];

    private static (string? Directory, string? Unavailable) Build() => BuildOther(directory =>
        CompileCpp("native-hang.cpp", Path.Combine(directory, "native-hang"), "-O2", "-pthread", "-ldl")
            ?? CompileCpp("loading.cpp", Path.Combine(directory, "libloading.so"), "-O2", "-fPIC", "-shared", "-pthread", "-ldl"));

    private static (string? Directory, string? Unavailable) BuildOther(Func<string, string?> compile)
    {
        if (RuntimeInformation.ProcessArchitecture != Architecture.X64)
        {
            return (null, "needs Linux on x64");
        }

        string directory = Directory.CreateTempSubdirectory("dump-native-linux-").FullName;
        AppDomain.CurrentDomain.ProcessExit += (_, _) => Directory.Delete(directory, recursive: true);
        return compile(directory) is { } unavailable ? (null, unavailable) : (directory, null);
    }

    /// <summary>Builds the program with two different deadlocks.</summary>
    /// <param name="compiler">One for C++ or Rust.</param>
    /// <param name="target">Where the program goes.</param>
    /// <param name="options">What the compiler is told besides.</param>
    /// <returns>Why it cannot be built on this machine, for a skipped test; null when it was.</returns>
    public static string? CompileTwoDeadlocks(string compiler, string target, params string[] options) =>
        RuntimeInformation.ProcessArchitecture != Architecture.X64 ? "needs Linux on x64"
        : compiler == RustCompiler ? Compile(compiler, "two-deadlocks.rs", target, ["-g", .. options])
        : options.Contains("-stdlib=libc++") && !HasLibCpp ? "needs libc++"
        : Compile(compiler, "two-deadlocks.cpp", target, ["-std=c++17", "-g", "-Wall", "-Wextra", "-pthread", .. options]);

    /// <summary>Debian's package libc++-dev.</summary>
    private static bool HasLibCpp =>
        Directory.EnumerateDirectories("/usr/lib", "llvm-*").Any(d => Directory.Exists(Path.Combine(d, "include", "c++", "v1")));

    private static string? CompileCpp(string source, string target, params string[] options) =>
        Compile(Compiler, source, target, ["-std=c++17", "-g", "-Wall", "-Wextra", .. options]);

    /// <summary>Compiles a sample; gives the reason where the compiler is not there.</summary>
    private static string? Compile(string compiler, string source, string target, params string[] options)
    {
        try
        {
            using Process process = Process.Start(compiler, [Path.Combine(Repository.Root, "samples", "linux", source), "-o", target, .. options]);
            return process.WaitForExit(s_buildLimit) && process.ExitCode == 0 ? null : throw new InvalidOperationException($"{source} does not compile.");
        }
        catch (Win32Exception)
        {
            return $"needs {compiler}";
        }
    }
}
