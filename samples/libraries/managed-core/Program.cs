// Prints the lock cycles (DUMP1002) of a core of a .NET process: managed-core FILE.
using Dump.Analysis;
using Dump.Clr;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Readers.ElfCore;
using Dump.Readers.Linux;

using ElfCoreFile core = ElfCoreFile.Open(args[0]);
ProcessSnapshot native = LinuxSnapshotReader.Read(core, Path.GetFileName(args[0]));
ProcessSnapshot snapshot = ClrSnapshotReader.Read(native, args[0], memory: core);
foreach (Verdict verdict in HangAnalysis.Run(snapshot, only: ["DUMP1002"]).Verdicts)
{
    Console.WriteLine($"{verdict.DetectorId} {verdict.Title}: {string.Join(' ', verdict.Claims.Select(c => c.Text))}");
}
