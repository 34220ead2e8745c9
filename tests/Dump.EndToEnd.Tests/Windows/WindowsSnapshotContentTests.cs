using Dump.Readers.Minidump;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Windows;

/// <summary>
/// The memory that the program takes of a living native process is that of the debugger extension's small snapshot: the rules are written twice, in C# and in
/// C++, and both must choose alike.
/// </summary>
public sealed class WindowsSnapshotContentTests : IDisposable
{
    // MiniDumpWithTokenInformation of MINIDUMP_TYPE (minidumpapiset.h).
    private const ulong TokenInformation = 0x4_0000;
    private readonly string _directory = Directory.CreateTempSubdirectory("dump-content-").FullName;

    [SkippableTheory]
    [InlineData("cs-cycle2")]
    [InlineData("loader-attach")]
    public void Program_and_extension_choose_the_same_memory_of_one_process(string sample)
    {
        Skip.If(WindowsLook.Unavailable is not null, WindowsLook.Unavailable);
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        string ofProgram = Path.Combine(_directory, "program.dmp"), ofExtension = Path.Combine(_directory, "extension.dmp");
        using WineSample living = WineSample.Start(sample);
        using (WineProcess look = WindowsLook.Start(living, [("LAB_WRITER_COPY", WineLab.WindowsPath(ofProgram))]))
        {
            Assert.True(look.WaitForEnd(TimeSpan.FromMinutes(5)));
        }

        WineLab.Shared.RunDebugger($"pid:{living.Facts.ProcessId}", ExtensionLab.Shipped.Load(), $"@copy-snapshot {WineLab.WindowsPath(ofExtension)}",
            "!verdict", "@copied");
        using MinidumpFile program = MinidumpFile.Open(ofProgram), extension = MinidumpFile.Open(ofExtension);

        // The debugger has the process' token written as well, which is no memory of it.
        Assert.Equal(extension.Header.Flags & ~TokenInformation, program.Header.Flags);
        Assert.Equal(Ranges(extension), Ranges(program));
        Assert.True(Ranges(program).Count > 10);
    }

    public void Dispose() => Directory.Delete(_directory, recursive: true);

    /// <summary>The memory of a dump by address, with neighbours joined.</summary>
    private static List<string> Ranges(MinidumpFile dump)
    {
        List<(ulong Start, ulong End)> joined = [];
        foreach (MinidumpMemoryRange range in dump.MemoryRanges.OrderBy(r => r.Address))
        {
            ulong end = range.Address + (ulong)range.Bytes.Size;
            if (joined.Count > 0 && joined[^1].End >= range.Address)
            {
                joined[^1] = (joined[^1].Start, Math.Max(joined[^1].End, end));
            }
            else
            {
                joined.Add((range.Address, end));
            }
        }

        return [.. joined.Select(r => $"{r.Start:x}-{r.End:x}")];
    }
}
