using Dump.Model.Process;
using Dump.Readers.Instructions;
using Dump.Readers.Pe;
using Dump.Readers.Registers;
using Dump.Readers.Unwinding;
using Dump.Readers.Unwinding.Frames;

namespace Dump.Readers.Tests.Unwinding;

/// <summary>Arguments from the caller's code: known only when nothing between can have changed them.</summary>
public sealed class CallSiteReaderTests
{
    private const ulong Function = 0x5000;
    private static readonly byte[] s_call = [0xE8, 0, 1, 0, 0];

    private static CallArguments Read(byte[] before, ulong rbx = 0)
    {
        byte[] code = [.. before, .. s_call];
        SparseMemory memory = new SparseMemory().Write(Function, code).Slot(0x6000, 0x1234);
        X64Registers registers = default;
        registers.Rip = Function + (ulong)code.Length;
        registers[X64Register.Rbx] = rbx;
        return CallSiteReader.Read(memory, new WalkedFrame(registers, FrameTrust.UnwindInfo, Function));
    }

    [Fact]
    public void Constants_are_read()
    {
        CallArguments arguments = Read([0xB9, 0x50, 0, 0, 0, 0xBA, 0xFF, 0xFF, 0xFF, 0xFF]); // mov ecx,50h; mov edx,-1
        Assert.Equal((0x50UL, 0xFFFF_FFFFUL), (arguments.First, arguments.Second));
        Assert.Null(arguments.Third);
    }

    [Fact]
    public void Address_relative_to_the_instruction_pointer_is_computed() =>
        Assert.Equal(0x6000UL, Read([0x48, 0x8D, 0x0D, 0xF9, 0x0F, 0, 0]).First); // lea rcx,[rip+0FF9h]

    [Fact]
    public void Memory_relative_to_the_instruction_pointer_is_read() =>
        Assert.Equal(0x1234UL, Read([0x48, 0x8B, 0x0D, 0xF9, 0x0F, 0, 0]).First); // mov rcx,[rip+0FF9h]

    [Fact]
    public void Nonvolatile_register_is_taken_from_the_frame() => Assert.Equal(0x77UL, Read([0x48, 0x89, 0xD9], rbx: 0x77).First); // mov rcx,rbx

    [Fact]
    public void Nonvolatile_register_that_is_written_afterwards_is_unknown() =>
        Assert.Null(Read([0x48, 0x89, 0xD9, 0x48, 0x89, 0xC3], rbx: 0x77).First); // mov rcx,rbx; mov rbx,rax

    /// <summary>mul writes RDX, div RAX, rep stosb RCX, and xchg both of its registers.</summary>
    [Theory]
    [InlineData(new byte[] { 0xBA, 0xFF, 0xFF, 0xFF, 0xFF, 0xF7, 0xE1 })] // mov edx,-1; mul ecx
    [InlineData(new byte[] { 0xB8, 0xFF, 0xFF, 0xFF, 0xFF, 0xF7, 0xF1, 0x89, 0xC2 })] // mov eax,-1; div ecx; mov edx,eax
    [InlineData(new byte[] { 0xB9, 0x50, 0, 0, 0, 0xF3, 0xAA, 0x89, 0xCA })] // mov ecx,50h; rep stosb; mov edx,ecx
    [InlineData(new byte[] { 0x48, 0x89, 0xDA, 0x48, 0x87, 0xD8 })] // mov rdx,rbx; xchg rax,rbx
    public void Register_that_an_instruction_writes_without_naming_it_first_is_unknown(byte[] code) => Assert.Null(Read(code, rbx: 0x77).Second);

    [Fact]
    public void A_call_in_between_clears_what_was_known() => Assert.Null(Read([0xB9, 0x50, 0, 0, 0, .. s_call]).First);

    [Fact]
    public void A_branch_target_in_between_clears_what_was_known() =>
        Assert.Null(Read([0x74, 0x05, 0xB9, 0x50, 0, 0, 0, 0x90]).First); // je to the nop behind mov ecx,50h

    [Fact]
    public void Without_the_functions_beginning_nothing_is_known() =>
        Assert.Equal(CallArguments.Unknown, CallSiteReader.Read(new SparseMemory(), new WalkedFrame(default(X64Registers), FrameTrust.UnwindInfo, null)));
}
