using Dump.Testing.Triage;

namespace Dump.EndToEnd.Tests.Triage;

/// <summary>A generated folder of 60 dumps, triaged once for all tests of a class.</summary>
public sealed class TriagedFolder : IDisposable
{
    private const int Count = 60;
    private readonly string _root = Directory.CreateTempSubdirectory("dump-triaged-").FullName;

    /// <summary>Makes and triages it.</summary>
    public TriagedFolder()
    {
        Dumps = DumpFolder.Make(Folder, Count, [.. DumpSeed.Fixtures, .. DumpSeed.Corpus]);
        Run = Triage(New("whole"));
        Output = TriageOutput.Read(Path.Combine(_root, "whole"));
    }

    /// <summary>The folder of dumps.</summary>
    public string Folder => Path.Combine(_root, "dumps of many");

    /// <summary>What is in it.</summary>
    public IReadOnlyList<FolderDump> Dumps { get; }

    /// <summary>The run over all of them.</summary>
    public TriageProcess Run { get; }

    /// <summary>Its output.</summary>
    public TriageOutput Output { get; }

    /// <summary>A path for another output.</summary>
    public string New(string name) => Path.Combine(_root, name);

    /// <summary>Triages the folder with two processes.</summary>
    public TriageProcess Triage(string output, TimeSpan? killAfter = null, params string[] options) =>
        TriageProcess.Run(ShellProgram.DumpAnalyze, [Folder, "--out", output, "-j", "2", .. options], killAfter);

    /// <inheritdoc/>
    public void Dispose() => Directory.Delete(_root, recursive: true);
}
