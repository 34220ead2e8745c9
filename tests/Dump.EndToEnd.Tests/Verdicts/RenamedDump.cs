using System.Globalization;
using Dump.Analysis;
using Dump.Clr;
using Dump.Model.Process;
using Dump.Readers.ElfCore;
using Dump.Readers.Linux;
using Dump.Readers.Minidump;
using Dump.Readers.Windows;
using Dump.Testing.Renaming;

namespace Dump.EndToEnd.Tests.Verdicts;

/// <summary>Checks on a real dump that no finding changes when threads are reordered, ids renumbered or modules rebased, as facts and in the file.</summary>
internal static class RenamedDump
{
    private const int Seed = 4_711;
    private const long LargestCopy = 64 << 20;

    /// <summary>Checks a Windows minidump by its native half.</summary>
    public static void CheckMinidump(string path)
    {
        using MinidumpFile dump = MinidumpFile.Open(path);
        ProcessSnapshot snapshot = WindowsSnapshotReader.Read(dump, Path.GetFileName(path));
        Check(snapshot);
        if (new FileInfo(path).Length <= LargestCopy)
        {
            using MinidumpFile permuted = MinidumpFile.FromBytes(PermutedMinidump.Of(File.ReadAllBytes(path), new Random(Seed)));
            Same(snapshot, WindowsSnapshotReader.Read(permuted, Path.GetFileName(path)), path);
        }
    }

    /// <summary>Checks a Linux core with its managed half.</summary>
    public static void CheckCore(string path)
    {
        ProcessSnapshot snapshot = Read(path);
        Assert.Contains(snapshot.Threads, t => t.ManagedId is not null);
        Check(snapshot);
        string copy = path + ".permuted";
        try
        {
            Assert.True(PermutedCore.Write(path, copy, new Random(Seed)) > 3);
            ProcessSnapshot permuted = Read(copy);
            Assert.NotEqual(snapshot.Threads.Select(t => t.Id), permuted.Threads.Select(t => t.Id));
            Same(snapshot, permuted, path);
        }
        finally
        {
            File.Delete(copy);
        }
    }

    private static ProcessSnapshot Read(string path)
    {
        using ElfCoreFile core = ElfCoreFile.Open(path);
        return ClrSnapshotReader.Read(LinuxSnapshotReader.Read(core, "renamed.core"), path, memory: core);
    }

    private static void Check(ProcessSnapshot snapshot)
    {
        RenamingCheck.Run(snapshot, s => HangAnalysis.Run(s));
        RenamingCheck.Run(snapshot, s => WaitChains.Find(s, null));
    }

    private static void Same(ProcessSnapshot snapshot, ProcessSnapshot permuted, string path) =>
        RenamingCheck.Same(snapshot, permuted, s => HangAnalysis.Run(s),
            string.Create(CultureInfo.InvariantCulture, $"{Path.GetFileName(path)}, file, seed {Seed}"));
}
