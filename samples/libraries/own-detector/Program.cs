// Judges a core of a .NET process with this program's detectors and with one of its own: own-detector FILE.
using Dump.Analysis;
using Dump.Clr;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Readers.ElfCore;
using Dump.Readers.Linux;
using OwnDetector;

using ElfCoreFile core = ElfCoreFile.Open(args[0]);
ProcessSnapshot snapshot = ClrSnapshotReader.Read(LinuxSnapshotReader.Read(core, Path.GetFileName(args[0])), args[0], memory: core);
AnalysisResult result = HangAnalysis.Run(snapshot, own: [new SleepUnderLockDetector()]);
foreach (Verdict verdict in result.Verdicts)
{
    Console.WriteLine($"{verdict.DetectorId} {verdict.Title} ({verdict.Confidence}): {verdict.Claims[0].Text}");
}

Console.WriteLine($"SHOP0001: {result.Outcomes.Single(o => o.DetectorId == "SHOP0001").Kind}");
