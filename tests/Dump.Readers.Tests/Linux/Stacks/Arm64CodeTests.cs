using Dump.Readers.ElfCore;
using Dump.Readers.Linux.Code;
using Dump.Readers.Tests.Unwinding;

namespace Dump.Readers.Tests.Linux.Stacks;

/// <summary>What is read from instructions of ARM64; the words are those of glibc 2.36 and of Linux 6.1, as a disassembler shows them.</summary>
public sealed class Arm64CodeTests
{
    private const ulong At = 0xFFFF_8000_1000;
    private const uint SupervisorCall = 0xD400_0001, Nothing = 0xD503_201F;
    private const ulong Interrupted = unchecked((ulong)-4);
    private static readonly MachineCode s_code = MachineCode.Of(LinuxMachine.Arm64);

    /// <summary>
    /// The instruction before, the one at which the thread stands, X0: a call that begins anew, one that was interrupted, one that ended by itself, and other code.
    /// </summary>
    [Theory]
    [InlineData(Nothing, SupervisorCall, 5ul, 98L, false)]
    [InlineData(Nothing, SupervisorCall, Interrupted, 98L, false)]
    [InlineData(SupervisorCall, Nothing, Interrupted, 98L, true)]
    [InlineData(SupervisorCall, Nothing, 0ul, 98L, true)]
    [InlineData(Nothing, Nothing, Interrupted, -1L, false)]
    [InlineData(Nothing, 0xD400_0021u, 5ul, -1L, false)]
    public void Call_is_known_by_the_instruction(uint before, uint at, ulong first, long number, bool isLost)
    {
        Assert.Equal(new EnteredCall(number, isLost), s_code.CallOf(Code(before, at), Thread(At, (0, first), (8, 98))));
        Assert.Equal(isLost ? null : first, (Thread(At, (0, first)) with { Call = new EnteredCall(number, isLost) }).Argument0);
    }

    [Fact]
    public void Without_code_the_call_is_unknown()
    {
        Assert.Null(s_code.CallOf(new SparseMemory(), Thread(At, (8, 98))));
        Assert.Null(s_code.CallOf(Code(Nothing, SupervisorCall), Thread(At + 1, (8, 98))));
    }

    /// <summary><c>ldr w0, [x19]</c>, <c>cbz w0</c> and <c>cbnz w0</c>; a load of another width, a decision by another register, and the exchange that takes it.</summary>
    [Theory]
    [InlineData(Nothing, 0xB940_0260u, 0x5000ul)]
    [InlineData(0xB940_0260u, 0x34FF_FF60u, 0x5000ul)]
    [InlineData(0xB940_0260u, 0x35FF_FFA0u, 0x5000ul)]
    [InlineData(0xB940_0260u, 0x35FF_FFA1u, null)]
    [InlineData(Nothing, 0xF940_0260u, null)]
    [InlineData(Nothing, 0xB940_03E0u, null)]
    [InlineData(0xAA13_03E2u, 0x5280_0021u, null)]
    public void Spin_lock_is_known_in_its_loop_only(uint before, uint at, ulong? address)
    {
        (ulong Address, string Register)? spun = s_code.SpunLock(Code(before, at), Thread(At, (19, 0x5000)));
        Assert.Equal(address is { } known ? (known, "x19") : null, spun);
    }

    [Theory]
    [InlineData(0u, false)]
    [InlineData(1u, true)]
    public void Spin_lock_is_free_while_it_is_zero(uint word, bool isHeld) => Assert.Equal(isHeld, s_code.IsHeld(word));

    /// <summary><c>b</c>, <c>b.eq</c>, <c>cbz</c>, <c>tbnz</c> backwards; a call is no jump.</summary>
    [Theory]
    [InlineData(0x1400_0004u, 0x10)]
    [InlineData(0x17FF_FFF8u, -0x20)]
    [InlineData(0x5400_0080u, 0x10)]
    [InlineData(0x34FF_FF60u, -0x14)]
    [InlineData(0x37FF_FFE0u, -4)]
    [InlineData(0x9402_B04Au, null)]
    [InlineData(0xD65F_03C0u, null)]
    public void Jumps_lead_where_the_instruction_says(uint instruction, int? distance) =>
        Assert.Equal(distance is { } known ? [unchecked(At + (ulong)known)] : [], s_code.Jumps(At, BitConverter.GetBytes(instruction)));

    [Theory]
    [InlineData(0xD280_1168u, SupervisorCall, true)]
    [InlineData(0xD280_1168u, Nothing, false)]
    [InlineData(0xD280_1148u, SupervisorCall, false)]
    public void Return_from_a_handler_is_known_by_its_code(uint first, uint second, bool isReturn) =>
        Assert.Equal(isReturn, s_code.IsSignalReturn(new SparseMemory().Write(At, [.. BitConverter.GetBytes(first), .. BitConverter.GetBytes(second)]), At));

    private static SparseMemory Code(uint before, uint at) =>
        new SparseMemory().Write(At - 4, [.. BitConverter.GetBytes(before), .. BitConverter.GetBytes(at)]);

    private static ElfThread Thread(ulong at, params (int Place, ulong Value)[] registers)
    {
        ulong[] values = new ulong[34];
        values[32] = at;
        Array.ForEach(registers, r => values[r.Place] = r.Value);
        return new ElfThread(1, 0, TimeSpan.Zero, TimeSpan.Zero, values) { Machine = LinuxMachine.Arm64 };
    }
}
