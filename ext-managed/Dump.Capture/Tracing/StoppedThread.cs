namespace Dump.Capture.Tracing;

/// <summary>A thread that is kept stopped.</summary>
/// <param name="Id">Kernel thread id.</param>
/// <param name="Registers">user_regs_struct; empty when the thread did not stop in time or ended.</param>
internal sealed record StoppedThread(uint Id, IReadOnlyList<ulong> Registers);
