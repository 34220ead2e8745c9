using System.Collections.Immutable;

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

    /// <summary>
    /// Where in the section the address lies that the alert wait may be given. Published listings up to Windows 10 pass that of LockCount, those of 26100,
    /// 26200 and Server 2025 the section's own (22621 is unclear), so both are tried and validated on every build. Wine 8 passes that of LockSemaphore.
    /// </summary>
    public ImmutableArray<int> AlertArguments => abi.IsWine ? [WaitWord] : [WaitWord, DebugInfo];
}
