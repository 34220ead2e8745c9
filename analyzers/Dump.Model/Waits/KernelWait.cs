using Dump.Model.Facts;

namespace Dump.Model.Waits;

/// <summary>What the arguments of a blocking system call tell.</summary>
/// <param name="Timeout">Whether the call has a time limit.</param>
/// <param name="Evidence">Which argument says so.</param>
public sealed record KernelWait(WaitTimeout Timeout, Evidence Evidence);
