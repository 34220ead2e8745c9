using System.Collections.Concurrent;
using System.Runtime.Versioning;

namespace Dump.Testing.Lab;

/// <summary>The scenes of <c>samples/managed</c> as programs in a single file, with the runtime inside, published by <c>lab/single-file.sh</c>.</summary>
[SupportedOSPlatform("linux")]
public sealed class SingleFileLab
{
    private const int UnavailableExitCode = 3;
    private static readonly TimeSpan BuildLimit = TimeSpan.FromMinutes(30);
    private static readonly ConcurrentDictionary<string, Lazy<SingleFileLab>> Programs = new();

    private SingleFileLab(string[] arguments)
    {
        LabScriptResult result = LabScript.Run("single-file.sh", BuildLimit, arguments);
        Unavailable = result.ExitCode switch
        {
            0 => null,
            UnavailableExitCode => result.Errors,
            _ => throw new InvalidOperationException($"lab/single-file.sh ended with {result.ExitCode}: {result.Errors}"),
        };
        Program = result.Output.Trim();
    }

    /// <summary>Why it cannot be published on this machine, for a skipped test; null when it can.</summary>
    public string? Unavailable { get; }

    /// <summary>Path of the program.</summary>
    public string Program { get; }

    /// <summary>Path of the same program as the build leaves it: a folder with the runtime's files.</summary>
    public string SelfContainedProgram => Program.Replace("/publish/", "/bin/", StringComparison.Ordinal);

    /// <summary>The program with the runtime of the installed SDK.</summary>
    public static SingleFileLab Installed => Of();

    /// <summary>The program with another runtime.</summary>
    /// <param name="version">Exact version, for example <c>9.0.18</c>, of which host and runtime are served as packages.</param>
    public static SingleFileLab On(string version) => Of($"net{version[..version.IndexOf('.', StringComparison.Ordinal)]}.0", version);

    private static SingleFileLab Of(params string[] arguments) =>
        Programs.GetOrAdd(string.Join(' ', arguments), _ => new Lazy<SingleFileLab>(() => new SingleFileLab(arguments))).Value;
}
