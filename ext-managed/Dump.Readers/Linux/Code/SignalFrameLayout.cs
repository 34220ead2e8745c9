using Dump.Readers.ElfCore;

namespace Dump.Readers.Linux.Code;

/// <summary>
/// What the kernel puts on a thread's stack for a handler of signals, and where the handler returns to. Sources: x86-64 arch/x86/include/asm/sigframe.h
/// <c>struct rt_sigframe</c>, uapi asm/ucontext.h and asm/sigcontext.h; ARM64 arch/arm64/kernel/signal.c <c>struct rt_sigframe</c>, uapi asm/ucontext.h and
/// asm/sigcontext.h. That of ARM64 was checked on cores of Linux 6.1.
/// </summary>
internal static class SignalFrameLayout
{
    /// <summary>
    /// Distance of <c>siginfo_t</c>, which begins with the signal's number, from the context before it: flags and link 16 bytes, stack 24, registers 256, mask 8.
    /// </summary>
    public const int Information = 304;

    /// <summary>On ARM64 <c>siginfo_t</c> comes first, then flags, link, stack and mask; the registers are aligned to 16 bytes, behind the address of a fault.</summary>
    public const int Arm64Information = 0;
    public const int Arm64Registers = 128 + 176 + 8;

    /// <summary>The lowest reason: of getaddrinfo_a (<c>SI_ASYNCNL</c>).</summary>
    public const int LowestReason = -60;

    /// <summary>The highest number of a signal (signal(7)).</summary>
    public const int LastSignal = 64;

    /// <summary>Numbers for which there are no handlers: SIGKILL and SIGSTOP (signal(7)).</summary>
    public static ReadOnlySpan<uint> Uncatchable => [9, 19];

    /// <summary>The function that a handler returns to, in glibc and musl (sysdeps/unix/sysv/linux/x86_64/libc_sigaction.c).</summary>
    public const string Return = "__restore_rt";

    /// <summary>Its code: <c>mov $15, %rax; syscall</c>, as debuggers know it.</summary>
    public static ReadOnlySpan<byte> ReturnCode => [0x48, 0xC7, 0xC0, 0x0F, 0x00, 0x00, 0x00, 0x0F, 0x05];

    /// <summary>That function on ARM64, in the library that the kernel maps (arch/arm64/kernel/vdso/sigreturn.S).</summary>
    public const string Arm64Return = "__kernel_rt_sigreturn";

    /// <summary>Distance of <c>siginfo_t</c> from the stack pointer of the frame.</summary>
    /// <param name="machine">The machine.</param>
    public static int InformationOf(LinuxMachine machine) => machine == LinuxMachine.Arm64 ? Arm64Information : Information;
}
