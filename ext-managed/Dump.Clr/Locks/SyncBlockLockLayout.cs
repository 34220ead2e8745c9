namespace Dump.Clr.Locks;

/// <summary>
/// The lock of a sync block from .NET 11 on, 64-bit, where monitors are managed code (dotnet/runtime, src/coreclr/vm/syncblk.h, class SyncBlock, at the tag
/// v11.0.0; read so in processes of 11.0.0).
/// </summary>
internal static class SyncBlockLockLayout
{
    /// <summary>A handle to the object's <c>System.Threading.Lock</c>; 0 while it has none.</summary>
    public const int Lock = 0;

    /// <summary>The sync block's own index, by which the layout is recognised; the upper bits are flags.</summary>
    public const int Index = 12;

    /// <summary>The bits that are the index.</summary>
    public const uint IndexMask = 0x03FF_FFFF;

    /// <summary>Bytes that are read.</summary>
    public const int Size = 16;
}
