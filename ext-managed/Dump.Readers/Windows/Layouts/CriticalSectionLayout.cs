namespace Dump.Readers.Windows.Layouts;

/// <summary>Offsets in RTL_CRITICAL_SECTION. Source: the public definition in winnt.h, for x64 and x86.</summary>
/// <param name="abi">Pointer size and version.</param>
internal sealed class CriticalSectionLayout(WindowsAbi abi)
{
    /// <summary>Size of the larger of the two.</summary>
    public const int LargestSize = 0x28;

    public int DebugInfo { get; } = abi.Offset(x64: 0x0, x86: 0x0);

    public int LockCount { get; } = abi.Offset(x64: 0x8, x86: 0x4);

    public int RecursionCount { get; } = abi.Offset(x64: 0xC, x86: 0x8);

    public int OwningThread { get; } = abi.Offset(x64: 0x10, x86: 0xC);

    public int LockSemaphore { get; } = abi.Offset(x64: 0x18, x86: 0x10);

    public int SpinCount { get; } = abi.Offset(x64: 0x20, x86: 0x14);

    public int Size { get; } = abi.Offset(x64: LargestSize, x86: 0x18);

    /// <summary>The word that waiters wait on by address: LockCount on Windows, LockSemaphore under Wine 8 (checked there).</summary>
    public int WaitWord { get; } = abi.IsWine ? abi.Offset(x64: 0x18, x86: 0x10) : abi.Offset(x64: 0x8, x86: 0x4);

    /// <summary>Name of <see cref="WaitWord"/>.</summary>
    public string WaitWordName { get; } = abi.IsWine ? nameof(LockSemaphore) : nameof(LockCount);
}
