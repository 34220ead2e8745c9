using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Text;

namespace Dump.Triage.Tests.Runs;

/// <summary>
/// The program itself, triaging in a process of its own that can be killed. All processes that it starts are known by a mark in their environment.
/// </summary>
internal sealed partial class TriageProcess : IDisposable
{
    public const int Interrupt = 2;
    public const int KillAtOnce = 9;
    public const int Stop = 19;
    private readonly string _mark = $"DUMPANALYZE_TEST_MARK={Guid.NewGuid():N}";
    private readonly Process _process;
    private readonly Task<string> _output;
    private readonly Task<string> _error;

    private TriageProcess(IEnumerable<string> command)
    {
        ProcessStartInfo start = new(command.First(), command.Skip(1)) { RedirectStandardOutput = true, RedirectStandardError = true };
        start.Environment["DUMPANALYZE_TEST_MARK"] = _mark.Split('=')[1];
        _process = Process.Start(start)!;
        _output = _process.StandardOutput.ReadToEndAsync();
        _error = _process.StandardError.ReadToEndAsync();
    }

    public bool HasExited => _process.HasExited;

    public string Output => _output.Result;

    public string Error => _error.Result;

    /// <summary>Starts it.</summary>
    public static TriageProcess Start(params string[] arguments) => new([TriageFolder.Real.FileName, .. TriageFolder.Real.Arguments, "triage", .. arguments]);

    /// <summary>Starts it as a user without rights.</summary>
    public static TriageProcess StartAsNobody(params string[] arguments) =>
        new(["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", TriageFolder.Real.FileName, .. TriageFolder.Real.Arguments, "triage",
            .. arguments]);

    public void Signal(int signal) => Signal(_process.Id, signal);

    public static void Signal(int process, int signal) => _ = Kill(process, signal);

    public int WaitForExit()
    {
        Assert.True(_process.WaitForExit(TimeSpan.FromMinutes(10)), "it did not end");
        return _process.ExitCode;
    }

    /// <summary>Processes that it has started and that still run, it itself included.</summary>
    public IReadOnlyList<int> Survivors()
    {
        List<int> found = [];
        foreach (string folder in Directory.EnumerateDirectories("/proc"))
        {
            try
            {
                if (int.TryParse(Path.GetFileName(folder), out int id) && Encoding.UTF8.GetString(File.ReadAllBytes(folder + "/environ"))
                    .Contains(_mark, StringComparison.Ordinal))
                {
                    found.Add(id);
                }
            }
            catch (Exception error) when (error is IOException or UnauthorizedAccessException)
            {
                // It is gone, or somebody else's.
            }
        }

        return found;
    }

    public void Dispose()
    {
        Signal(KillAtOnce);
        foreach (int left in Survivors())
        {
            _ = Kill(left, KillAtOnce);
        }

        _process.Dispose();
    }

    [LibraryImport("libc", EntryPoint = "kill")]
    private static partial int Kill(int process, int signal);
}
