namespace Dump.Testing.Synthetic;

/// <summary>A handle of a <see cref="FakeProcess"/>, with one object-information record.</summary>
/// <param name="Value">Handle value.</param>
/// <param name="Type">Object type.</param>
/// <param name="InformationType">Type of the record: 1 thread, 3 mutex owner, 6 event.</param>
/// <param name="Information">Its bytes.</param>
public sealed record FakeHandle(ulong Value, string Type, uint InformationType, byte[] Information)
{
    /// <summary>An event.</summary>
    public static FakeHandle Event(ulong value, bool manualReset, bool signaled) =>
        new(value, "Event", 6, new ByteWriter().UInt32(manualReset ? 0 : 1).UInt32(signaled ? 1 : 0).ToArray());

    /// <summary>A mutex with an owner.</summary>
    public static FakeHandle Mutex(ulong value, uint owner) =>
        new(value, "Mutant", 3, new ByteWriter().UInt64(0x1234).UInt64(owner).ToArray());

    /// <summary>A thread.</summary>
    public static FakeHandle Thread(ulong value, uint id) =>
        new(value, "Thread", 1, new ByteWriter().PadTo(0x18).UInt64(id).PadTo(0x30).ToArray());
}
