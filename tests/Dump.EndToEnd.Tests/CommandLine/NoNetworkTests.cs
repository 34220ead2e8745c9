using System.Runtime.Versioning;
using Dump.Testing.Lab;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.CommandLine;

/// <summary>Without <c>--fetch</c> no socket is made, whatever servers the symbol path and other settings name: the system calls say so.</summary>
[SupportedOSPlatform("linux")]
public sealed class NoNetworkTests : IDisposable
{
    private const uint Thread = 0x10;
    private const uint WritableData = 0x1000;
    private const string Server = "http://127.0.0.1:9";
    private readonly string _folder = Directory.CreateTempSubdirectory("dump-calls-").FullName;
    private readonly LinuxLab _lab = new();

    public void Dispose()
    {
        _lab.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    /// <summary>A dump without its images: the symbol path's server would be asked for them.</summary>
    [SkippableFact]
    public void Analysis_of_a_minidump_makes_no_socket()
    {
        CriticalSectionScene scene = new();
        scene.Waiter(Thread, scene.Section(Thread, 1), LockTrace.Argument);
        string dump = Path.Combine(_folder, "small.dmp");
        File.WriteAllBytes(dump, StrippedMinidump.Of(scene.Process.ToMinidump(), WritableData));
        Assert.Empty(Calls(dump));

        // The same trace shows the socket of a command that asks a server, on a port where nobody listens.
        Assert.Contains(Calls("fetch", dump, "--yes"), c => c.Contains("socket(AF_INET", StringComparison.Ordinal));
    }

    /// <summary>Servers would be asked for the PDB files of its modules.</summary>
    [SkippableFact]
    public void Analysis_of_a_core_makes_no_socket()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        string core = _lab.Dump("monitor-cycle2").Path;
        Assert.Empty(Calls(core));
        Assert.Contains(Calls("fetch", core, "--yes"), c => c.Contains("socket(AF_INET", StringComparison.Ordinal));
    }

    [SkippableFact]
    public void Look_at_a_living_process_makes_no_socket()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.Start("monitor-cycle2");
        Assert.Empty(Calls("live", $"{running.ProcessId}"));
    }

    /// <summary>Debuginfod servers would be asked for the debug files of its libraries.</summary>
    [SkippableFact]
    public void Look_at_a_native_process_and_its_core_makes_no_socket()
    {
        Skip.If(NativeLinuxLab.Unavailable is not null, NativeLinuxLab.Unavailable);
        using LiveScene running = NativeLinuxLab.Start("mutex-cycle2");
        string core = Path.Combine(_folder, "core");
        Assert.Empty(Calls("live", $"{running.ProcessId}", "--keep", core));
        Assert.Empty(Calls(core));
    }

    /// <summary>The calls on sockets that a run of the program makes, in all of its processes.</summary>
    private string[] Calls(params string[] arguments)
    {
        // The .NET runtime's own port for its debuggers, which every .NET program has, is a socket of this machine.
        string[] lines = SystemCallTrace.Of("%network,execve", _folder,
            [("_NT_SYMBOL_PATH", $"srv*{_folder}*{Server}/symbols"), ("DEBUGINFOD_URLS", Server),
                ("DEBUGINFOD_CACHE_PATH", Path.Combine(_folder, "cache")), ("DOTNET_EnableDiagnostics", "0")], arguments);
        Assert.Contains(lines, l => l.Contains("execve(", StringComparison.Ordinal));
        return [.. lines.Where(l => !l.Contains("execve", StringComparison.Ordinal))];
    }
}
