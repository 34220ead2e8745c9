using Dump.Model.Process;
using Dump.Readers.Registers;

namespace Dump.Readers.Windows.Waits;

/// <summary>An argument of the system call that a thread is in.</summary>
/// <param name="Value">Its value; to be validated by what it should be, since the place may have been written since.</param>
/// <param name="Place">Where it was found, for people: a register or the stack.</param>
internal readonly record struct SystemCallArgument(ulong Value, string Place)
{
    /// <summary>Where on the stack it lies; null for a register.</summary>
    public ulong? Address { get; init; }

    /// <summary>Reads the first argument.</summary>
    /// <param name="process">The process.</param>
    /// <param name="thread">A thread whose innermost frame is a system call's stub.</param>
    /// <returns>The argument, or null where this system or architecture does not keep it.</returns>
    public static SystemCallArgument? First(WindowsProcess process, WindowsThread thread) => thread.Registers switch
    {
        X64Registers registers when process.ArgumentsAreInRegisters => new SystemCallArgument(registers[X64Register.Rcx], "RCX"),

        // Expected to be preserved at "svc"; no real dump has been met that shows it, which WindowsThread.TrustOf accounts for.
        Arm64Registers registers when process.ArgumentsAreInRegisters => new SystemCallArgument(registers[0], "X0"),
        _ =>
            OnStack(process, thread, 0) is { } argument
                ? new SystemCallArgument(argument, "the first stack argument") { Address = AddressOnStack(thread, 0) }
                : null,
    };

    /// <summary>Reads the second argument, which registers keep less often than the first: it counts only together with a value that it must fit.</summary>
    /// <param name="process">The process.</param>
    /// <param name="thread">A thread whose innermost frame is a system call's stub.</param>
    /// <returns>The argument, or null where this system or architecture does not keep it.</returns>
    public static SystemCallArgument? Second(WindowsProcess process, WindowsThread thread) => thread.Registers switch
    {
        X64Registers registers when process.ArgumentsAreInRegisters => new SystemCallArgument(registers[X64Register.Rdx], "RDX"),
        Arm64Registers registers when process.ArgumentsAreInRegisters => new SystemCallArgument(registers[1], "X1"),
        _ =>
            OnStack(process, thread, 1) is { } argument
                ? new SystemCallArgument(argument, "the second stack argument") { Address = AddressOnStack(thread, 1) }
                : null,
    };

    /// <summary>Reads an argument of 32-bit x86 code, which passes all of them on the stack: they lie above the address that the stub returns to.</summary>
    /// <param name="process">The process.</param>
    /// <param name="thread">A thread whose innermost frame is a system call's stub.</param>
    /// <param name="index">Which argument, 0-based.</param>
    /// <returns>The argument, or null for other architectures, or when the stub's caller is not surely known or the memory is missing.</returns>
    public static uint? OnStack(WindowsProcess process, WindowsThread thread, int index) =>
        AddressOnStack(thread, index) is { } address ? process.Dump.ReadUInt32(address) : null;

    private static ulong? AddressOnStack(WindowsThread thread, int index)
    {
        int caller = (thread.SystemCall?.Index ?? 0) + 1;
        return thread.Registers is { Architecture: ProcessorArchitecture.X86 } && caller < thread.Walked.Count
            && thread.Walked[caller].Trust > FrameTrust.FramePointer
            ? thread.Walked[caller].StackPointer + (ulong)index * sizeof(uint)
            : null;
    }
}
