namespace Dump.Clr.Locks;

/// <summary>
/// The lock at the start of a sync block, 64-bit, .NET 8 to 10 (dotnet/runtime, src/coreclr/vm/syncblk.h, class AwareLock; read so in cores of 8.0.0, 9.0.18
/// and 10.0.12). Before, there is no <see cref="SystemId"/>, and the index lies elsewhere; later, monitors are managed code.
/// </summary>
internal static class AwareLockLayout
{
    /// <summary>Id that the operating system gave to the thread that entered it, 8 bytes.</summary>
    public const int SystemId = 16;

    /// <summary>The sync block's own index, by which the layout is recognised; the upper bits are flags.</summary>
    public const int Index = 28;

    /// <summary>The bits that are the index.</summary>
    public const uint IndexMask = 0x03FF_FFFF;

    /// <summary>Bytes that are read.</summary>
    public const int Size = 32;
}
