// Judges a dump or core with this program's detectors and with one of its own: own-detector FILE.
using Dump.Engine;
using Dump.Model.Verdicts;
using OwnDetector;

Judgement judgement = DumpSession.Open(args[0]).Judge(new JudgingRules { Own = [new SleepUnderLockDetector()] });
foreach (Verdict verdict in judgement.Verdicts)
{
    Console.WriteLine($"{verdict.DetectorId} {verdict.Title} ({verdict.Confidence}): {verdict.Claims[0].Text}");
}

Console.WriteLine($"SHOP0001: {judgement.Result.Outcomes.Single(o => o.DetectorId == "SHOP0001").Kind}");
