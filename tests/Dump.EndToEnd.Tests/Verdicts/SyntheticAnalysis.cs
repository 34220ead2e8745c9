using System.Text.Json;
using Dump.Analysis;
using Dump.EndToEnd.Tests.Synthetic;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Readers.Minidump;
using Dump.Readers.Windows;
using Dump.Testing;
using Dump.Testing.Renaming;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.Verdicts;

/// <summary>Takes a synthetic process through the whole engine, from the bytes of its dump to verdicts.</summary>
internal static class SyntheticAnalysis
{
    /// <summary>The facts. Fails when the reader has anything to complain of, or does not walk every stack to its end.</summary>
    public static ProcessSnapshot Read(FakeProcess process)
    {
        byte[] bytes = process.ToMinidump();
        using MinidumpFile dump = MinidumpFile.FromBytes(bytes);
        ProcessSnapshot snapshot = WindowsSnapshotReader.Read(dump, "synthetic");
        Assert.Empty(snapshot.Problems);
        Assert.All(snapshot.Threads, t => Assert.Equal(StackEnd.Complete, t.Stack.End));
        if (DumpAnalyze.Archive is not null)
        {
            AgreesWithArchive(bytes, HangAnalysis.Run(snapshot));
        }

        return snapshot;
    }

    /// <summary>The archive's program has the same verdicts on the same bytes: a fault of machine code alone shows nowhere else.</summary>
    private static void AgreesWithArchive(byte[] bytes, AnalysisResult here)
    {
        using SyntheticFile file = new(bytes);
        DumpAnalyze run = DumpAnalyze.Run(file.FilePath, "--format", "json");
        Assert.True(run.ExitCode is 0 or >= 10, run.Error);
        Assert.Equal(
            here.Verdicts.Select(v => (v.DetectorId, v.Confidence.ToString())),
            JsonDocument.Parse(run.Output).RootElement.Member("verdicts").EnumerateArray()
                .Select(v => (v.Member("id").GetString(), v.Member("confidence").GetString()))!);
    }

    /// <summary>The facts of a dump of which the reader may complain.</summary>
    public static ProcessSnapshot ReadDamaged(FakeProcess process)
    {
        using MinidumpFile dump = MinidumpFile.FromBytes(process.ToMinidump());
        return WindowsSnapshotReader.Read(dump, "synthetic");
    }

    /// <summary>The verdicts, which are the same under other names.</summary>
    public static AnalysisResult Of(FakeProcess process)
    {
        ProcessSnapshot snapshot = Read(process);
        RenamingCheck.Run(snapshot, s => HangAnalysis.Run(s));
        AnalysisResult result = HangAnalysis.Run(snapshot);
        Assert.DoesNotContain(result.Outcomes, o => o.Kind == DetectorOutcomeKind.Failed);
        return result;
    }

    /// <summary>The sentences of a verdict.</summary>
    public static string[] Sentences(Verdict verdict) => [.. verdict.Claims.Select(c => c.Text)];

    /// <summary>True when nothing was found because data are missing.</summary>
    public static bool IsUndecidable(AnalysisResult result) =>
        result.Verdicts.IsEmpty && result.Outcomes.Single(o => o.DetectorId == "DUMP9001").Kind == DetectorOutcomeKind.InsufficientData;

    /// <summary>
    /// Nothing was found, all of the dump's data are there, and one moment does not tell what becomes of the owner of a lock: it sleeps, or polls.
    /// </summary>
    public static void LacksOnlyALaterMoment(AnalysisResult result)
    {
        Assert.Empty(result.Verdicts);
        Assert.All(result.Outcomes.SelectMany(o => o.Missing), m => Assert.StartsWith("a later moment of 1 thread ", m.What, StringComparison.Ordinal));
        Assert.True(IsUndecidable(result));
    }

    /// <summary>Nothing was found, and nothing is missing to say so.</summary>
    public static void IsQuiet(AnalysisResult result)
    {
        Assert.Empty(result.Verdicts);
        Assert.Equal(DetectorOutcomeKind.NotDetected, result.Outcomes.Single(o => o.DetectorId == "DUMP9001").Kind);
    }
}
