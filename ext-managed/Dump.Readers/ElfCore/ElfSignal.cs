namespace Dump.Readers.ElfCore;

/// <summary>
/// The signal that a core was written for, from NT_SIGINFO (<c>siginfo_t</c>, sigaction(2)); where that note is missing, from the state of the first thread.
/// </summary>
/// <param name="ThreadId">The thread that got it: the one whose status note it follows.</param>
/// <param name="Number">The signal's number.</param>
/// <param name="Code">How it came (<c>si_code</c>): positive from the kernel, else from a process. Null where the note is missing.</param>
/// <param name="Value">For a signal of the kernel for a memory access the address (<c>si_addr</c>), for one from a process its id in the low half (<c>si_pid</c>).</param>
public sealed record ElfSignal(uint ThreadId, int Number, int? Code, ulong Value);
