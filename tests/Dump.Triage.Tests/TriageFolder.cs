using System.Collections.Immutable;
using Dump.Testing.Fixtures;
using Dump.Triage.Children;
using Dump.Triage.Records;
using Dump.Triage.Runs;

namespace Dump.Triage.Tests;

/// <summary>A folder with dumps and one for records, both gone at the end, and runs over them.</summary>
internal sealed class TriageFolder : IDisposable
{
    private readonly DirectoryInfo _root = Directory.CreateTempSubdirectory("dumpanalyze-triage-");

    public TriageFolder() => Directory.CreateDirectory(Dumps);

    /// <summary>The program under test, analysing for real.</summary>
    public static AnalysisProgram Real { get; } = new("dotnet", [Path.Combine(AppContext.BaseDirectory, "dumpanalyze.dll")]);

    /// <summary>The same with workers, as it is by default.</summary>
    public static AnalysisProgram RealWorkers { get; } = Real with { HasWorkers = true };

    public string Dumps => Path.Combine(_root.FullName, "dumps");

    public string Output => Path.Combine(_root.FullName, "out");

    /// <summary>What a run did.</summary>
    public TriageSummary? Summary { get; private set; }

    /// <summary>A path in the folder of the dumps.</summary>
    public string At(params ReadOnlySpan<string> names)
    {
        string path = Path.Combine([Dumps, .. names]);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        return path;
    }

    /// <summary>Moves something into place that begins like a minidump and is different for each number: whole at any moment that somebody looks.</summary>
    public string Pretend(string name, int number = 0, int size = 5000)
    {
        string path = At(name.Split('/')), aside = Path.Combine(_root.FullName, "pretended");
        File.WriteAllBytes(aside, PretendBytes(number, size));
        File.Move(aside, path, overwrite: true);
        return path;
    }

    public static byte[] PretendBytes(int number, int size)
    {
        byte[] bytes = new byte[size];
        new Random(number).NextBytes(bytes);
        "MDMP"u8.CopyTo(bytes);
        return bytes;
    }

    /// <summary>Copies a committed dump.</summary>
    public string Fixture(string fixture, string name)
    {
        string path = At(name.Split('/'));
        File.Copy(Testing.Fixtures.Fixture.Named(fixture).Path, path);
        return path;
    }

    /// <summary>A program in place of the analysis: a shell script whose first argument after its name is the dump.</summary>
    public static AnalysisProgram Script(string script) => new("/bin/sh", ["-c", "for last; do :; done; " + script, "stub"]);

    /// <summary>A program that finds nothing in any dump.</summary>
    public static AnalysisProgram FindsNothing { get; } = Script(
        """echo '{"schema":"dump-report/1","source":{"name":"x","kind":"k","size":1},"undecidable":false,"verdicts":[],"detectors":[]}'""");

    /// <summary>Runs with a program in place of the analysis.</summary>
    public TriageRecords Run(AnalysisProgram program, Func<TriageOptions, TriageOptions>? change = null, CancellationToken cancellation = default)
    {
        TriageOptions options = new() { Inputs = [Dumps], Output = Output, Jobs = 2, Program = program, Unpacking =
            UnpackLimits.Default with { AlwaysAllowed = 4 << 20, FreeDisk = 0 } };
        Summary = TriageRun.Run(change?.Invoke(options) ?? options, null, cancellation);
        return TriageRecords.Read(Output);
    }

    /// <summary>All that a run has written, without what may differ from run to run.</summary>
    public static ImmutableSortedDictionary<string, string> Written(string output) => Directory.EnumerateFiles(output, "*", SearchOption.AllDirectories)
        .Where(f => !Path.GetFileName(f).StartsWith(".lock", StringComparison.Ordinal))
        .ToImmutableSortedDictionary(f => Path.GetRelativePath(output, f), f => Timeless(File.ReadAllText(f)), StringComparer.Ordinal);

    public void Dispose()
    {
        foreach (string folder in Directory.EnumerateDirectories(_root.FullName, "*",
            new EnumerationOptions { RecurseSubdirectories = true, AttributesToSkip = FileAttributes.ReparsePoint }))
        {
            if (!OperatingSystem.IsWindows())
            {
                File.SetUnixFileMode(folder, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
            }
        }

        _root.Delete(recursive: true);
    }

    private static string Timeless(string text)
    {
        int timing = text.LastIndexOf("\"timing\"", StringComparison.Ordinal);
        return timing < 0 ? text : text[..timing];
    }
}
