using Dump.EndToEnd.Tests.Packages;
using Dump.EndToEnd.Tests.Triage;
using Dump.Testing.Fixtures;
using Dump.Testing.Lab;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.CommandLine;

/// <summary>A dump in a cabinet is read on Windows as elsewhere.</summary>
public sealed class CabinetTests : IDisposable
{
    private const int Unreadable = 3;
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("dumpanalyze-cabinet-");

    /// <summary>Names in the cabinet, and what is said; null for the verdict on the dump.</summary>
    public static TheoryData<string[], string?> Members => new()
    {
        { ["report.txt", "memory.dmp"], null },
        { ["..\\..\\memory.dmp"], null },
        { ["first.dmp", "second.dmp"], "there are 2 dumps in it (first.dmp, second.dmp); to analyze all of them: dumpanalyze triage" },
        { ["report.txt"], "there is no dump in this archive of 1 file; give the dump itself" },
    };

    [SkippableTheory]
    [MemberData(nameof(Members))]
    public void Cabinet_with_one_dump_is_read(string[] names, string? expected)
    {
        string path = Write(CabinetFile.Make([.. names.Select(Member)]));
        if (expected is null)
        {
            ShellProgram run = Run(path);
            Assert.True(run.ExitCode == 10, run.Output);
            Assert.Contains("DUMP1002", run.Output, StringComparison.Ordinal);
            string named = run.Output[run.Output.IndexOf("memory.dmp", StringComparison.Ordinal)..];
            Assert.StartsWith("memory.dmp: Windows minidump", named, StringComparison.Ordinal);
        }
        else
        {
            Refused(path, expected);
        }
    }

    [SkippableFact]
    public void Claims_and_damage_are_refused_in_one_line()
    {
        byte[] dump = File.ReadAllBytes(Fixture.Named("cs-cycle2").Path);
        Refused(Write(CabinetFile.Make([Member("report.txt"), ("memory.dmp", dump)], claimed: uint.MaxValue)),
            "it is damaged: it unpacks to ");
        Refused(Write(CabinetFile.Make([.. Enumerable.Range(0, 1_001).Select(i => ($"{i}.txt", (byte[])[1]))])),
            "it has more than 1000 members");
        Refused(Write(CabinetFile.Make([("memory.dmp", dump)], claimed: 1 << 20)), "it is damaged: it unpacks to ");
        Refused(Write(CabinetFile.Make([("memory.dmp", dump)])[..5000]), "it is cut off");
        Refused(Write("MSCF\0\0\0\0"u8.ToArray()), "it is cut off");
    }

    public void Dispose() => _folder.Delete(recursive: true);

    private static (string Name, byte[] Content) Member(string name) =>
        (name, name.EndsWith(".dmp", StringComparison.Ordinal) ? File.ReadAllBytes(Fixture.Named("cs-cycle2").Path) : "nothing to see\r\n"u8.ToArray());

    private static void Refused(string path, string expected)
    {
        ShellProgram run = Run(path);
        Assert.True(run.ExitCode == (expected.Contains("triage", StringComparison.Ordinal) ? 2 : Unreadable), $"{run.ExitCode}: {run.Output}");
        Assert.True(run.Output.StartsWith($"dumpanalyze: hang.cab: {expected}", StringComparison.Ordinal), run.Output);
        Assert.Single(run.Output.TrimEnd().Split('\n'));
    }

    /// <summary>Nothing of the cabinet stays behind.</summary>
    private static ShellProgram Run(string path)
    {
        Skip.If(ManagedWineLab.Unavailable is not null, ManagedWineLab.Unavailable);
        string temporary = Path.Combine(Path.GetDirectoryName(path)!, "temporary");
        Directory.CreateDirectory(temporary);
        ShellProgram run = WineProgram.RunIn(
            [("TMP", WineLab.WindowsPath(temporary)), ("TEMP", WineLab.WindowsPath(temporary))],
            Path.Combine(ManagedWineLab.Program, "dumpanalyze.exe"), WineLab.WindowsPath(path));
        Assert.Empty(Directory.EnumerateFileSystemEntries(temporary));
        return run;
    }

    private string Write(byte[] content)
    {
        string path = Path.Combine(_folder.FullName, "hang.cab");
        File.WriteAllBytes(path, content);
        return path;
    }
}
