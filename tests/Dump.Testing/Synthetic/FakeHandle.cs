namespace Dump.Testing.Synthetic;

/// <summary>A handle of a <see cref="FakeProcess"/>, with its object-information records.</summary>
/// <param name="Value">Handle value.</param>
/// <param name="Type">Object type.</param>
/// <param name="Information">Type and bytes of each record: 1 thread, 2 mutex, 3 mutex owner, 6 event.</param>
public sealed record FakeHandle(ulong Value, string Type, params IReadOnlyList<(uint Type, byte[] Bytes)> Information)
{
    /// <summary>Name of the object, or null.</summary>
    public string? Name { get; init; }

    /// <summary>An event.</summary>
    public static FakeHandle Event(ulong value, bool manualReset, bool signaled) =>
        new(value, "Event", (6u, new ByteWriter().UInt32(manualReset ? 0 : 1).UInt32(signaled ? 1 : 0).ToArray()));

    /// <summary>A mutex with an owner.</summary>
    public static FakeHandle Mutex(ulong value, uint owner) => new(value, "Mutant", Owner(owner));

    /// <summary>A mutex with both of its records: its state and its owner.</summary>
    /// <param name="value">Handle value.</param>
    /// <param name="count">1 when free, 0 when held once, less with each further time.</param>
    /// <param name="isAbandoned">Whether a thread ended while it held it.</param>
    /// <param name="owner">Id of the owner, 0 for none.</param>
    public static FakeHandle Mutex(ulong value, int count, bool isAbandoned, uint owner) =>
        new(value, "Mutant", (2u, new ByteWriter().UInt32(count).Bytes(0, (byte)(isAbandoned ? 1 : 0), 0, 0).ToArray()), Owner(owner));

    /// <summary>A thread.</summary>
    public static FakeHandle Thread(ulong value, uint id) =>
        new(value, "Thread", (1u, new ByteWriter().PadTo(0x10).UInt64(FakeProcess.Id).UInt64(id).PadTo(0x30).ToArray()));

    /// <summary>Writes the records as a linked list and returns where the first is; 0 without any.</summary>
    internal int WriteInformation(ByteWriter w)
    {
        int first = Information.Count == 0 ? 0 : w.Length;
        for (int i = 0; i < Information.Count; i++)
        {
            const int HeaderSize = 12;
            (uint type, byte[] bytes) = Information[i];
            int next = i + 1 < Information.Count ? w.Length + HeaderSize + bytes.Length : 0;
            w.UInt32(next).UInt32(type).UInt32(bytes.Length).Bytes(bytes);
        }

        return first;
    }

    private static (uint, byte[]) Owner(uint owner) => (3, new ByteWriter().UInt64(FakeProcess.Id).UInt64(owner).ToArray());
}
