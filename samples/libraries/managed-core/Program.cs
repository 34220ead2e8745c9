// Prints the verdicts on a dump or core: managed-core FILE.
using Dump.Engine;
using Dump.Model.Verdicts;

foreach (Verdict verdict in DumpSession.Open(args[0]).Judge().Verdicts)
{
    Console.WriteLine($"{verdict.DetectorId} {verdict.Title}: {string.Join(' ', verdict.Claims.Select(c => c.Text))}");
}
