using Dump.Readers.Unwinding.X86;

namespace Dump.Readers.Tests.Unwinding.X86;

/// <summary>Programs of frame data, as Breakpad's description of STACK WIN records and Microsoft's PDB files have them.</summary>
public sealed class FrameProgramTests
{
    private static readonly SparseMemory s_memory = new SparseMemory().Write(0x1000, 0x40, 0x10, 0, 0, 0x34, 0x12, 0, 0);

    [Fact]
    public void The_usual_program_reads_the_saved_frame_pointer_and_the_return_address()
    {
        Dictionary<string, uint> variables = new() { ["$ebp"] = 0x1000, [".cbSavedRegs"] = 4, [".cbParams"] = 8 };
        Assert.True(FrameProgram.TryRun("$T0 $ebp = $eip $T0 4 + ^ = $ebp $T0 ^ = $esp $T0 8 + = $L $T0 .cbSavedRegs - = $P $T0 8 + .cbParams + =", variables,
            s_memory));
        Assert.Equal((0x1234u, 0x1040u, 0x1008u, 0xFFCu, 0x1010u), (variables["$eip"], variables["$ebp"], variables["$esp"], variables["$L"], variables["$P"]));
    }

    [Theory]
    [InlineData("$T0 7 2 / =", 3u)]
    [InlineData("$T0 7 2 % =", 1u)]
    [InlineData("$T0 7 3 * =", 21u)]
    [InlineData("$T0 4103 4096 @ =", 4096u)]
    [InlineData("$T0 2 3 - =", uint.MaxValue)]
    public void Operators_compute(string program, uint expected)
    {
        Dictionary<string, uint> variables = [];
        Assert.True(FrameProgram.TryRun(program, variables, s_memory));
        Assert.Equal(expected, variables["$T0"]);
    }

    [Theory]
    [InlineData("")]
    [InlineData("$T0")]                     // nothing assigned
    [InlineData("$T0 $ebx =")]              // an unknown register
    [InlineData("$T0 1 0 / =")]
    [InlineData("$T0 1 0 @ =")]
    [InlineData("$T0 $ebp 64 + ^ =")]       // memory that is not there
    [InlineData("1 2 =")]                   // a number is no place
    [InlineData("=")]
    [InlineData("+ + +")]
    [InlineData("$T0 99999999999 =")]
    public void Malformed_programs_compute_nothing(string program) =>
        Assert.False(FrameProgram.TryRun(program, new Dictionary<string, uint> { ["$ebp"] = 0x1000 }, s_memory));

    [Fact]
    public void Endless_programs_are_refused()
    {
        Assert.False(FrameProgram.TryRun(string.Concat(Enumerable.Repeat("$T0 1 = ", 1000)), [], s_memory));
        Assert.False(FrameProgram.TryRun(string.Concat(Enumerable.Repeat("1 ", 300)), [], s_memory));
    }
}
