using System.Diagnostics;

namespace Dump.Testing.Lab;

/// <summary>
/// A Windows program that runs under the lab's Wine, ended when disposed. It is the process that is started itself, no child of a shell: what kills that kills
/// the Windows program. Its output goes to files, which Wine's background processes do not hold open as they would a pipe.
/// </summary>
public sealed class WineProcess : IDisposable
{
    private const string Script =
        """source "$0/lab/environment.sh"; cd "$samples_directory"; out=$1 err=$2; shift 2; """
        + """keep_server; exec nice -n -15 "$(wine_loader)" "$@" > "$out" 2> "$err" < /dev/null""";

    private static readonly TimeSpan EndLimit = TimeSpan.FromMinutes(1);
    private readonly string directory = Directory.CreateTempSubdirectory("dump-wine-").FullName;
    private readonly Process process;

    private WineProcess(IEnumerable<string> command, IEnumerable<(string Name, string Value)> environment)
    {
        ProcessStartInfo start = new("bash", ["-c", Script, Repository.Root, OutputPath, ErrorPath, .. command]) { RedirectStandardError = true };
        foreach ((string name, string value) in environment)
        {
            start.Environment[name] = value;
        }

        process = Process.Start(start) ?? throw new InvalidOperationException("bash did not start.");
    }

    /// <summary>Process id on this system.</summary>
    public int Id => process.Id;

    /// <summary>True when it has ended.</summary>
    public bool HasEnded => process.HasExited;

    /// <summary>
    /// True for a program that has ended without having begun: it met Wine's server just as that was ending, and says so or nothing (lab/environment.sh).
    /// </summary>
    public bool DidNotStart => HasEnded
        && (Errors.StartsWith("wine client error", StringComparison.Ordinal) || (ExitCode == 1 && Output.Length == 0 && Errors.Length == 0));

    /// <summary>Its exit code once it has ended; the lower eight bits of it.</summary>
    public int ExitCode => process.ExitCode;

    /// <summary>What it has written to standard output so far.</summary>
    public string Output => Text(OutputPath);

    /// <summary>What it has written to standard error so far.</summary>
    public string Errors => Text(ErrorPath);

    /// <summary>Processor time of all its threads in hundredths of a second; 0 once it has ended.</summary>
    public long ProcessorTicks
    {
        get
        {
            try
            {
                string stat = File.ReadAllText($"/proc/{Id}/stat");
                string[] fields = stat[(stat.LastIndexOf(')') + 2)..].Split(' ');
                return long.Parse(fields[11], System.Globalization.CultureInfo.InvariantCulture)
                    + long.Parse(fields[12], System.Globalization.CultureInfo.InvariantCulture);
            }
            catch (IOException)
            {
                return 0;
            }
        }
    }

    private string OutputPath => Path.Combine(directory, "out");

    private string ErrorPath => Path.Combine(directory, "err");

    /// <summary>Starts a program.</summary>
    /// <param name="environment">Variables of its environment.</param>
    /// <param name="command">The program as a Windows path, and its arguments.</param>
    public static WineProcess Start(IEnumerable<(string Name, string Value)> environment, params IEnumerable<string> command) => new(command, environment);

    /// <summary>Waits for its end.</summary>
    /// <returns>False when it still runs after the limit.</returns>
    public bool WaitForEnd(TimeSpan limit) => process.WaitForExit(limit);

    /// <summary>Sends it Ctrl+C, which Wine makes of this signal.</summary>
    public void PressControlC()
    {
        using var sender = Process.Start("kill", ["-INT", process.Id.ToString(System.Globalization.CultureInfo.InvariantCulture)]);
        sender.WaitForExit();
    }

    /// <summary>Ends it at once, as a user's task manager does.</summary>
    public void Kill()
    {
        process.Kill();
        process.WaitForExit(EndLimit);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Kill();
        process.Dispose();
        Directory.Delete(directory, recursive: true);
    }

    private static string Text(string path) => File.Exists(path) ? File.ReadAllText(path).Replace("\r", "", StringComparison.Ordinal) : "";
}
