using System.Buffers.Binary;
using Dump.Readers.ElfCore;
using Dump.Readers.Instructions;

namespace Dump.Readers.Linux.Code;

/// <summary>What is read from instructions, which differ by machine.</summary>
internal abstract class MachineCode
{
    private static readonly MachineCode s_x64 = new X64Code();
    private static readonly MachineCode s_arm64 = new Arm64Code();

    /// <summary>That of a machine.</summary>
    /// <param name="machine">The machine.</param>
    public static MachineCode Of(LinuxMachine machine) => machine == LinuxMachine.Arm64 ? s_arm64 : s_x64;

    /// <summary>Name of the function that a handler of signals returns to.</summary>
    public abstract string SignalReturn { get; }

    /// <summary>True where a call stands before an address; null where that code is not readable.</summary>
    /// <param name="memory">Where the code is read.</param>
    /// <param name="address">The address.</param>
    public abstract bool? IsReturnAddress(IMemory memory, ulong address);

    /// <summary>True at the code that a handler of signals returns to.</summary>
    /// <param name="memory">Where the code is read.</param>
    /// <param name="address">The address.</param>
    public abstract bool IsSignalReturn(IMemory memory, ulong address);

    /// <summary>
    /// The system call that a thread is in by the instruction at which it stands, for a machine whose registers do not tell; null where that is not readable.
    /// </summary>
    /// <param name="memory">Where the code is read.</param>
    /// <param name="thread">The thread.</param>
    public virtual EnteredCall? CallOf(IMemory memory, ElfThread thread) => null;

    /// <summary>Where the jumps in the code of a function lead.</summary>
    /// <param name="start">Its address.</param>
    /// <param name="code">The code.</param>
    public abstract IEnumerable<ulong> Jumps(ulong start, byte[] code);

    /// <summary>
    /// The lock for which a thread spins in the loop of <c>pthread_spin_lock</c>, and the register with its address; null where the thread is at no instruction
    /// that stands in the loop only. Outside of it the thread may just have taken the lock, whose word then is that of a held one by its own doing.
    /// </summary>
    /// <param name="memory">Where the code is read.</param>
    /// <param name="thread">A thread in that function.</param>
    public abstract (ulong Address, string Register)? SpunLock(IMemory memory, ElfThread thread);

    /// <summary>True for the word of a spin lock that is held.</summary>
    /// <param name="word">The word.</param>
    public abstract bool IsHeld(uint word);

    /// <summary>x86-64.</summary>
    private sealed class X64Code : MachineCode
    {
        private const byte Jump = 0xE9;
        private const byte Extended = 0x0F;
        private const int JumpSize = 5;

        /// <inheritdoc/>
        public override string SignalReturn => SignalFrameLayout.Return;

        /// <inheritdoc/>
        public override bool? IsReturnAddress(IMemory memory, ulong address) => CallInstruction.Precedes(memory, address);

        /// <inheritdoc/>
        public override bool IsSignalReturn(IMemory memory, ulong address)
        {
            Span<byte> code = stackalloc byte[SignalFrameLayout.ReturnCode.Length];
            return memory.TryRead(address, code) && code.SequenceEqual(SignalFrameLayout.ReturnCode);
        }

        /// <inheritdoc/>
        public override IEnumerable<ulong> Jumps(ulong start, byte[] code)
        {
            for (int at = 0; at + JumpSize <= code.Length; at++)
            {
                // jmp rel32, and the jumps on a condition, 0F 80 to 0F 8F.
                if (code[at] == Jump || (at > 0 && code[at - 1] == Extended && (code[at] & 0xF0) == 0x80))
                {
                    yield return unchecked(start + (ulong)(at + JumpSize) + (ulong)(long)BinaryPrimitives.ReadInt32LittleEndian(code.AsSpan(at + 1)));
                }
            }
        }

        /// <summary>The loop keeps the lock's address in rdi: <c>pause</c> and <c>cmpl $0, (%rdi)</c> (glibc 2.36 sysdeps/x86_64/nptl/pthread_spin_lock.S).</summary>
        public override (ulong Address, string Register)? SpunLock(IMemory memory, ElfThread thread)
        {
            Span<byte> bytes = stackalloc byte[3];
            return thread is { Argument0: { } address, InstructionPointer: { } at } && memory.TryRead(at, bytes)
                && (bytes.SequenceEqual<byte>([0x83, 0x3F, 0x00]) || bytes.StartsWith<byte>([0xF3, 0x90])) ? (address, "rdi") : null;
        }

        /// <summary>It is 1 while it is free, and each attempt takes one off.</summary>
        public override bool IsHeld(uint word) => (int)word <= 0;
    }

    /// <summary>ARM64. Source: Arm Architecture Reference Manual, A64 base instructions.</summary>
    private sealed class Arm64Code : MachineCode
    {
        private const int Size = 4;
        private const uint SupervisorCall = 0xD400_0001;
        private const uint LoadsReturnNumber = 0xD280_1168;

        /// <inheritdoc/>
        public override string SignalReturn => SignalFrameLayout.Arm64Return;

        /// <inheritdoc/>
        public override bool? IsReturnAddress(IMemory memory, ulong address) => Arm64CallInstruction.Precedes(memory, address);

        /// <summary><c>mov x8, #139; svc #0</c> (Linux arch/arm64/kernel/vdso/sigreturn.S).</summary>
        public override bool IsSignalReturn(IMemory memory, ulong address) =>
            memory.ReadUInt32(address) == LoadsReturnNumber && memory.ReadUInt32(unchecked(address + Size)) == SupervisorCall;

        /// <summary>
        /// Before a signal is delivered, and before a debugger sees a thread, the kernel puts it back to the instruction that made the call, with all of the
        /// call's arguments, where the call shall begin anew (arch/arm64/kernel/signal.c, do_signal). Where the call ends instead, by the signal or by itself,
        /// the thread stands behind that instruction and has its result in X0. It has executed nothing since, and x64 calls such a thread one in that call too.
        /// </summary>
        public override EnteredCall? CallOf(IMemory memory, ElfThread thread)
        {
            if (thread.InstructionPointer is not { } at || at % Size != 0 || at < Size || memory.ReadUInt32(at) is not { } instruction)
            {
                return null;
            }

            long number = (long)thread.Registers[thread.Machine.Call];
            return instruction == SupervisorCall ? new EnteredCall(number, false)
                : memory.ReadUInt32(at - Size) == SupervisorCall ? new EnteredCall(number, true)
                : EnteredCall.None;
        }

        /// <inheritdoc/>
        public override IEnumerable<ulong> Jumps(ulong start, byte[] code)
        {
            for (int at = 0; at + Size <= code.Length; at += Size)
            {
                uint instruction = BinaryPrimitives.ReadUInt32LittleEndian(code.AsSpan(at));
                long? distance = (instruction & 0xFC00_0000) == 0x1400_0000 ? Signed(instruction, 0, 26)
                    : (instruction & 0xFF00_0010) == 0x5400_0000 || (instruction & 0x7E00_0000) == 0x3400_0000 ? Signed(instruction, 5, 19)
                    : (instruction & 0x7E00_0000) == 0x3600_0000 ? Signed(instruction, 5, 14)
                    : null;
                if (distance is { } words)
                {
                    yield return unchecked(start + (ulong)at + (ulong)(words * Size));
                }
            }
        }

        /// <summary>
        /// The loop reads the word by <c>ldr wT, [xN]</c> and goes on by what it read, <c>cbnz wT</c> or <c>cbz wT</c>; it takes the lock by another instruction
        /// (glibc 2.36 nptl/pthread_spin_lock.c, as GCC 12 compiles it).
        /// </summary>
        public override (ulong Address, string Register)? SpunLock(IMemory memory, ElfThread thread)
        {
            if (thread.InstructionPointer is not { } at || at % Size != 0 || at < Size || memory.ReadUInt32(at) is not { } instruction)
            {
                return null;
            }

            bool decides = (instruction & 0xFE00_0000) == 0x3400_0000;
            uint? load = decides ? memory.ReadUInt32(at - Size) : instruction;
            if (load is not { } read || (read & 0xFFFF_FC00) != 0xB940_0000 || (decides && (read & 0x1F) != (instruction & 0x1F)))
            {
                return null;
            }

            int register = (int)(read >> 5 & 0x1F);
            return register == ElfCoreLayout.RegisterSp || thread.Registers.Count != thread.Machine.RegisterCount ? null
                : (thread.Registers[register], $"x{register}");
        }

        /// <summary>It is 0 while it is free.</summary>
        public override bool IsHeld(uint word) => word != 0;

        private static long Signed(uint instruction, int from, int bits) => (long)((ulong)(instruction >> from) << (64 - bits)) >> (64 - bits);
    }
}
