using System.Collections.Immutable;

namespace Dump.Triage.Children;

/// <summary>The program that analyses one dump.</summary>
/// <param name="FileName">The program.</param>
/// <param name="Arguments">What its command line begins with.</param>
public sealed record AnalysisProgram(string FileName, ImmutableArray<string> Arguments)
{
    /// <summary>This program itself, started as it was started: <c>dotnet dumpanalyze.dll</c> or its own executable.</summary>
    public static AnalysisProgram Own { get; } =
        (Environment.ProcessPath is not { } program ? new AnalysisProgram("dumpanalyze", [])
        : Path.GetFileNameWithoutExtension(program) == "dotnet" ? new AnalysisProgram(program, [Environment.GetCommandLineArgs()[0]])
        : new AnalysisProgram(program, [])) with { HasWorkers = true };

    /// <summary>True when it answers one question after the other where its command is <see cref="AnswerPieces.WorkerCommand"/>.</summary>
    public bool HasWorkers { get; init; }
}
