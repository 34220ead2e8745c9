namespace Dump.Readers.Windows.Layouts;

/// <summary>
/// Bits of the pointer-sized RTL_RUN_ONCE (INIT_ONCE). Source: INIT_ONCE_CTX_RESERVED_BITS in winnt.h gives their number; State:2 in the public symbols of
/// ntdll; their values as in Wine's dlls/ntdll/sync.c, whose RtlRunOnceBeginInitialize takes the same words.
/// </summary>
internal static class RunOnceLayout
{
    public const ulong StateMask = 3;

    /// <summary>A thread runs the initialisation, and others wait for it.</summary>
    public const ulong InProgress = 1;
}
