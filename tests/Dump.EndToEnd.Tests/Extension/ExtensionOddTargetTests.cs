using System.Buffers.Binary;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Extension;

/// <summary>
/// What the extension says to targets that are no process. The kernel and the image are opened by the engine itself; a trace is pretended, because no trace can
/// be made here.
/// </summary>
public sealed class ExtensionOddTargetTests : IDisposable
{
    private static readonly string[] s_questions = ["!verdict", "!lockchain", "!lockchain ~1", "!heldlocks", "!dictloop", "!dictloop -heap", "!spinners",
        "!uihang"];
    private readonly string _directory = Directory.CreateTempSubdirectory("dump-targets-").FullName;

    private static string Fixture => Path.Combine(Repository.Root, "dumps-fixtures", "loader-exit.dmp");

    [SkippableFact]
    public void Dump_of_a_kernel_is_refused_by_every_command()
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        string dump = Path.Combine(_directory, "kernel.dmp");
        File.WriteAllBytes(dump, KernelDump());
        IReadOnlyList<string> outputs = ExtensionLab.Shipped.Run(dump, [.. s_questions, "!dumphelp"]);
        Assert.All(outputs.Take(s_questions.Length), o => Assert.Equal(
            "dumpext: a kernel is no process: dumpext reads dumps of processes and running processes; write one with procdump -ma PID on that machine",
                OwnLine(o)));
        Assert.Contains("!lockchain", outputs[^1], StringComparison.Ordinal);
    }

    [SkippableFact]
    public void Image_opened_as_a_dump_is_refused_by_every_command()
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        string image = Path.Combine(ExtensionLab.Shipped.Directory, "dumpext.dll");
        Assert.All(ExtensionLab.Shipped.Run(image, s_questions), o => Assert.Equal(
            "dumpext: this target is no process: dumpext reads dumps of processes and running processes", OwnLine(o)));
    }

    // DEBUG_CLASS_* and DEBUG_USER_WINDOWS_* of dbgeng.h.
    [SkippableTheory]
    [InlineData("2 2", "dumpext: a trace is no dump: go to the position of the hang, write a dump there (.dump /ma FILE), and open that")]
    [InlineData("2 3", "dumpext: a trace is no dump: go to the position of the hang, write a dump there (.dump /ma FILE), and open that")]
    [InlineData("1 0", "dumpext: a kernel is no process: dumpext reads dumps of processes and running processes; write one with procdump -ma PID on that machine")]
    [InlineData("0 0", "dumpext: there is no target: open a dump (.opendump FILE) or attach to a process")]
    [InlineData("77 0", "dumpext: this target is no process: dumpext reads dumps of processes and running processes")]
    public void Pretended_target_is_refused_by_every_command(string kind, string expected)
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        IReadOnlyList<string> outputs = ExtensionLab.Shipped.Run(Fixture, [$"@pretend {kind}", .. s_questions, "@pretend", "!verdict"]);
        Assert.All(outputs.Skip(1).Take(s_questions.Length), o => Assert.Equal(expected, OwnLine(o)));
        Assert.Contains("DUMP1001", outputs[^1], StringComparison.Ordinal);
    }

    [SkippableFact]
    public void Process_behind_a_process_server_is_read_with_all_its_memory()
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        (IReadOnlyList<string> outputs, _) = ExtensionLab.Shipped.RunOnProcess(["cs-cycle2"], isStopped: true, "@pretend 2 1", "!verdict");
        Assert.Contains("DUMP1002", outputs[1], StringComparison.Ordinal);
        Assert.Contains("full memory", outputs[1], StringComparison.Ordinal);
    }

    public void Dispose() => Directory.Delete(_directory, recursive: true);

    /// <summary>The last line; the engine complains about the thin kernel before it.</summary>
    private static string OwnLine(string output) => output.TrimEnd('\n').Split('\n')[^1];

    /// <summary>
    /// A full dump of a 64-bit kernel that the engine opens: the header (DUMP_HEADER64 of the Windows driver kit's wdbgexts.h, 0x2000 bytes) and sixteen empty
    /// pages of memory.
    /// </summary>
    private static byte[] KernelDump()
    {
        byte[] dump = new byte[0x12000];
        for (int i = 0; i < 0x2000; i += 4)
        {
            "PAGE"u8.CopyTo(dump.AsSpan(i));
        }

        "DU64"u8.CopyTo(dump.AsSpan(4));
        Write(0x08, 0x0000_4A61_0000_000F); // MajorVersion: a free build; MinorVersion: the build
        Write(0x10, 0x001A_A000);           // DirectoryTableBase
        Write(0x18, 0xFFFF_F800_0000_1000); // PfnDataBase
        Write(0x20, 0xFFFF_F800_1234_5670); // PsLoadedModuleList
        Write(0x28, 0xFFFF_F800_1234_5690); // PsActiveProcessHead
        Write(0x30, 0x0000_0001_0000_8664); // MachineImageType, NumberProcessors
        Write(0x38, 0xE2);                  // BugCheckCode
        Write(0x80, 0xFFFF_F800_1230_0000); // KdDebuggerDataBlock
        Write(0x88, 1);                     // PhysicalMemoryBlock: NumberOfRuns,
        Write(0x90, 0x10);                  // NumberOfPages,
        Write(0x98, 1);                     // the run's BasePage
        Write(0xA0, 0x10);                  // and PageCount
        Write(0xF98, 1);                    // DumpType: full
        Write(0xFA0, (ulong)dump.Length);   // RequiredDumpSpace
        return dump;

        void Write(int offset, ulong value) => BinaryPrimitives.WriteUInt64LittleEndian(dump.AsSpan(offset), value);
    }
}
