namespace Dump.Testing.Synthetic;

/// <summary>A handle of a <see cref="FakeProcess"/>, with its object-information records.</summary>
/// <param name="Value">Handle value.</param>
/// <param name="Type">Object type.</param>
/// <param name="Information">Type and bytes of each record: 1 thread, 2 mutex, 3 mutex owner, 4 and 5 process, 6 event, 8 semaphore.</param>
public sealed record FakeHandle(ulong Value, string Type, params IReadOnlyList<(uint Type, byte[] Bytes)> Information)
{
    private const uint StillActive = 0x103;

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

    /// <summary>A thread that runs.</summary>
    public static FakeHandle Thread(ulong value, uint id) => Thread(value, FakeProcess.Id, id, StillActive);

    /// <summary>A thread with its exit status.</summary>
    /// <param name="value">Handle value.</param>
    /// <param name="process">Id of its process.</param>
    /// <param name="id">Its id.</param>
    /// <param name="exitStatus">0x103 for one that runs.</param>
    public static FakeHandle Thread(ulong value, uint process, uint id, uint exitStatus) =>
        new(value, "Thread", (1u, new ByteWriter().UInt32(exitStatus).PadTo(0x10).UInt64(process).UInt64(id).PadTo(0x30).ToArray()));

    /// <summary>A process, with the two records that Microsoft's writer gives.</summary>
    public static FakeHandle Process(ulong value, uint id, uint exitStatus = StillActive)
    {
        byte[] basic = new ByteWriter().UInt32(exitStatus).PadTo(0x20).UInt64(id).PadTo(0x30).ToArray();
        return new(value, "Process", (4u, basic), (5u, new ByteWriter().UInt64(0x40).Bytes(basic).PadTo(0x40).ToArray()));
    }

    /// <summary>A semaphore.</summary>
    public static FakeHandle Semaphore(ulong value, int count, int maximum) =>
        new(value, "Semaphore", (8u, new ByteWriter().UInt32(count).UInt32(maximum).ToArray()));

    /// <summary>A mutex that a thread of some process owns.</summary>
    public static FakeHandle Mutex(ulong value, uint process, uint owner) => new(
        value, "Mutant", (2u, new ByteWriter().UInt32(0).UInt32(0).ToArray()), (3u, new ByteWriter().UInt64(process).UInt64(owner).ToArray()));

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
