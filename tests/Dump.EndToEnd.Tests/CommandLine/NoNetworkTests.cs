using System.ComponentModel;
using System.Diagnostics;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.CommandLine;

/// <summary>Without <c>--fetch</c> no socket of a network is made, whatever the symbol path names: the system calls say so.</summary>
public sealed class NoNetworkTests : IDisposable
{
    private const uint Thread = 0x10;
    private const uint WritableData = 0x1000;
    private readonly string _folder = Directory.CreateTempSubdirectory("dump-calls-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [SkippableFact]
    public void Analysis_makes_no_socket_of_a_network()
    {
        // A dump without its images: the symbol path's server would be asked for them.
        CriticalSectionScene scene = new();
        scene.Waiter(Thread, scene.Section(Thread, 1), LockTrace.Argument);
        string dump = Path.Combine(_folder, "small.dmp");
        File.WriteAllBytes(dump, StrippedMinidump.Of(scene.Process.ToMinidump(), WritableData));
        Assert.DoesNotContain("AF_INET", Calls(dump), StringComparison.Ordinal);

        // The same trace shows the socket of a command that asks a server, on a port where nobody listens.
        Assert.Contains("AF_INET", Calls("fetch", dump, "--yes"), StringComparison.Ordinal);
    }

    private string Calls(params string[] arguments)
    {
        string calls = Path.Combine(_folder, Path.GetRandomFileName());
        ProcessStartInfo start = new("strace", ["-f", "-qq", "-e", "trace=socket,connect", "-o", calls, "dotnet", DumpAnalyze.Program, .. arguments])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        start.Environment["_NT_SYMBOL_PATH"] = $"srv*{_folder}*http://127.0.0.1:9/symbols";
        try
        {
            using Process process = Process.Start(start)!;
            Task<string> errors = process.StandardError.ReadToEndAsync();
            process.StandardOutput.ReadToEnd();
            process.WaitForExit();
            Skip.If(errors.Result.Contains("ptrace", StringComparison.Ordinal), "strace may not trace here");
            return File.ReadAllText(calls);
        }
        catch (Win32Exception)
        {
            throw new SkipException("needs strace");
        }
    }
}
