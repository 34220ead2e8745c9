namespace Dump.Store.Engines;

/// <summary>How large records may be in a store.</summary>
internal static class RecordSize
{
    /// <summary>The most bytes of a record, unpacked; a packed one is no larger.</summary>
    public const int Most = 128 << 20;
}
