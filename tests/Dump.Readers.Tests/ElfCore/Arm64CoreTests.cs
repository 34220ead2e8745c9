using Dump.Model.Process;
using Dump.Readers.ElfCore;
using Dump.Testing.Synthetic;

namespace Dump.Readers.Tests.ElfCore;

/// <summary>Cores of ARM64 as bytes: what their notes say of threads, and damaged ones. The notes' form was seen in cores of Linux 6.1 (lab/arm64.sh).</summary>
public sealed class Arm64CoreTests : IDisposable
{
    private const ushort Arm64 = 183;
    private const ulong At = 0xFFFF_8000_1000;
    private const ulong Stack = 0xFFFF_C000_0000;
    private readonly string _path = Path.GetTempFileName();

    [Fact]
    public void Thread_has_the_registers_of_its_machine_and_what_its_other_notes_add()
    {
        using ElfCoreFile core = Open(Arm64,
        [
            .. FakeElfCore.Arm64Thread(4711, (0, 0x11), (4, 0x55), (8, 98), (31, Stack), (32, At)),
            .. FakeElfCore.Note(0x401, FakeElfCore.Words(0x7000, 0), "LINUX"),
            .. FakeElfCore.Note(0x406, FakeElfCore.Words(0x7F_0000_0000_0000, 0x3F_0000_0000_0000), "LINUX"),
            .. FakeElfCore.Arm64Thread(4712, (32, At + 4)),
        ]);
        Assert.Equal((ProcessorArchitecture.Arm64, ElfCoreWriter.Kernel), (core.Architecture, core.Writer));
        Assert.Equal([(4711u, (ulong?)At, (ulong?)0x7000), (4712u, At + 4, null)], core.Threads.Select(t => (t.Id, t.InstructionPointer, t.ThreadPointer)));
        ElfThread first = core.Threads[0];
        Assert.Equal((Stack, 0x11UL, 0x55UL, 0x3F_0000_0000_0000UL), (first.StackPointer, first.Argument0, first.Argument4, first.AuthenticationMask));
        Assert.Empty(core.Problems);
    }

    /// <summary>The kernel forgets the number before it writes a core, so that -1 says nothing; another number is that of a call.</summary>
    [Theory]
    [InlineData(98, 98L)]
    [InlineData(-1, null)]
    public void Note_on_the_system_call_counts_where_it_names_one(int noted, long? expected)
    {
        using ElfCoreFile core = Open(Arm64, [.. FakeElfCore.Arm64Thread(1, (8, 63)), .. FakeElfCore.Note(0x404, BitConverter.GetBytes(noted), "LINUX")]);
        Assert.Equal(expected, core.Threads[0].SystemCall);
    }

    /// <summary>Notes with those numbers that another owner wrote, and a state that is too short: the notes behind it belong to no thread before it.</summary>
    [Fact]
    public void Notes_of_others_and_of_a_state_that_was_cut_add_nothing()
    {
        byte[] pointer = FakeElfCore.Note(0x401, FakeElfCore.Words(0x7000), "LINUX"), cut = FakeElfCore.Note(1, new byte[336]);
        using ElfCoreFile core = Open(Arm64, [.. FakeElfCore.Arm64Thread(1, (32, At)), .. FakeElfCore.Note(0x401, FakeElfCore.Words(0x7000)), .. cut, .. pointer]);
        Assert.Null(Assert.Single(core.Threads).ThreadPointer);
    }

    [Fact]
    public void Notes_behind_a_thread_that_is_listed_twice_do_not_change_it()
    {
        byte[] Pointer(ulong value) => FakeElfCore.Note(0x401, FakeElfCore.Words(value), "LINUX");
        using ElfCoreFile core = Open(Arm64, [.. FakeElfCore.Arm64Thread(1), .. Pointer(0x7000), .. FakeElfCore.Arm64Thread(1), .. Pointer(0x8000)]);
        Assert.Equal(0x7000UL, Assert.Single(core.Threads).ThreadPointer);
    }

    /// <summary>The state of x64 is shorter: a file whose header names the other machine has no threads of it.</summary>
    [Fact]
    public void State_of_another_machine_is_none()
    {
        using ElfCoreFile core = Open(Arm64, FakeElfCore.Thread(1, (16, 0x7000)));
        Assert.Empty(core.Threads);
    }

    [Theory]
    [InlineData((ushort)21, "PowerPC64")]
    [InlineData((ushort)243, "RISC-V")]
    public void Other_machines_are_still_refused(ushort machine, string name) => Assert.Contains(
        $"a core of another kind ({name}), which is not read", Assert.Throws<InvalidDumpException>(() => Open(machine, [])).Message, StringComparison.Ordinal);

    [Fact]
    public void Big_endian_is_refused()
    {
        byte[] file = FakeElfCore.Of(Arm64, []);
        (file[5], file[16], file[17], file[18], file[19]) = (2, 0, 4, 0, 183);
        File.WriteAllBytes(_path, file);
        Assert.Contains("(ARM64, big-endian)", Assert.Throws<InvalidDumpException>(() => ElfCoreFile.Open(_path)).Message, StringComparison.Ordinal);
    }

    /// <inheritdoc/>
    public void Dispose() => File.Delete(_path);

    private ElfCoreFile Open(ushort machine, byte[] notes)
    {
        File.WriteAllBytes(_path, FakeElfCore.Of(machine, notes));
        return ElfCoreFile.Open(_path);
    }
}
