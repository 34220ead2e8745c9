namespace Dump.Testing.Synthetic;

/// <summary>A Windows process made by hand: images, PEB, TEBs, stacks and locks, written as a minidump with constants of its own.</summary>
public sealed class FakeProcess
{
    private const ulong Peb = 0x7E000000;
    private const ulong HeapArray = 0x7E001000;
    private const ulong LoaderData = 0x7E002000;
    private const ulong FirstTeb = 0x7F000000;
    private const ulong FirstComData = 0x7D000000;
    private const ulong FirstStack = 0x10000000;
    private const int StackSize = 0x8000;

    /// <summary>Process id.</summary>
    public const uint Id = 0x1000;

    /// <summary>Version of Windows.</summary>
    public (uint Major, uint Minor, uint Build) Version { get; set; } = (10, 0, 19045);

    /// <summary>Whether it is an ARM64 process; its images must be too.</summary>
    public bool IsArm64 { get; init; }

    /// <summary>The 32-bit CONTEXTs of the threads of a 32-bit process, which has no 64-bit images; null for a 64-bit one.</summary>
    public IReadOnlyList<byte[]>? X86Contexts { get; init; }

    /// <summary>Addresses of the TEBs, where they are none of this process' own making.</summary>
    public IReadOnlyList<ulong>? TebAddresses { get; set; }

    /// <summary>Modules besides the images.</summary>
    public List<(string Path, ulong BaseAddress, int Size)> MoreModules { get; } = [];

    /// <summary>Memory besides that of images, stacks and blocks.</summary>
    public SortedDictionary<ulong, byte[]> MoreMemory { get; } = [];

    /// <summary>Images by load order.</summary>
    public List<FakeImage> Images { get; } = [];

    /// <summary>Threads.</summary>
    public List<FakeThread> Threads { get; } = [];

    /// <summary>Handles, or null for no handle stream.</summary>
    public List<FakeHandle>? Handles { get; set; }

    /// <summary>True for handle descriptors of 32 bytes, which have no object information; false for those of 40.</summary>
    public bool HasShortHandles { get; init; }

    /// <summary>False to leave out TEB memory.</summary>
    public bool HasTebMemory { get; set; } = true;

    /// <summary>False to leave out what COM keeps of threads, as dumps without the heap do.</summary>
    public bool HasComMemory { get; set; } = true;

    /// <summary>False to leave out the images' memory: code, unwind information, data.</summary>
    public bool HasImageMemory { get; set; } = true;

    /// <summary>How many seconds later than others the dump is written; the threads are as many older.</summary>
    public uint SecondsLater { get; set; }

    /// <summary>False to leave out the ThreadInfoList stream.</summary>
    public bool HasThreadTimes { get; set; } = true;

    /// <summary>True for a MemoryList with a file position for each range, false for a Memory64List.</summary>
    public bool HasShortMemoryList { get; init; }

    /// <summary>Directory entries of type 0 (UnusedStream), as Microsoft's writer leaves them, at the directory's end.</summary>
    public int UnusedStreams { get; set; }

    /// <summary>Address of the loader lock.</summary>
    public ulong LoaderLock { get; set; }

    /// <summary>Address of the PEB's own lock; 0 for none.</summary>
    public ulong FastPebLock { get; set; }

    /// <summary>Address of the process heap; 0 for none.</summary>
    public ulong ProcessHeap { get; set; }

    /// <summary>Heaps that the PEB lists, the process heap included.</summary>
    public List<ulong> Heaps { get; } = [];

    /// <summary>Address of the wait block at which each bucket of the PEB's table of address waits begins, by the bucket's number.</summary>
    public Dictionary<int, ulong> WaitBuckets { get; } = [];

    /// <summary>
    /// Writes the head of a heap of Windows 8 to 11, or of Windows 7, into an image's data, with what it knows itself by and its lock's address.
    /// </summary>
    public static ulong Heap(FakeImage image, int offset, ulong lockVariable, bool isWindows7 = false)
    {
        int later = isWindows7 ? 8 : 0;
        ulong address = image.Data + (ulong)offset;
        new ByteWriter().PadTo(0x10).UInt32(0xFFEEFFEE).PadTo(0x28).UInt64(address).PadTo(0x98 + later).UInt32(0xEEFFEEFF).PadTo(0x160 + later)
            .UInt64(lockVariable)
            .ToArray().CopyTo(image.DataBytes, offset);
        return address;
    }

    /// <summary>The thread that ends the process, or null while the process lives.</summary>
    public uint? ShutdownThread { get; init; }

    /// <summary>More streams, behind the usual ones.</summary>
    public List<FakeStream> Streams { get; } = [];

    /// <summary>Writes a critical section into an image's data; the waiters stand above two flag bits of LockCount, as since Windows 2003 SP1.</summary>
    /// <param name="image">The image.</param>
    /// <param name="offset">Where in its data.</param>
    /// <param name="owner">Id of the owner; 0 for a free section.</param>
    /// <param name="waiters">Number of waiting threads.</param>
    /// <param name="recursion">How many times the owner has entered.</param>
    /// <param name="semaphore">Handle that waiters wait for; null where they wait for the address, as since Windows 8.</param>
    /// <returns>Its address.</returns>
    public static ulong Section(FakeImage image, int offset, uint owner, int waiters, int recursion = 1, ulong? semaphore = null)
    {
        ByteWriter section = new();
        int lockCount = owner == 0 ? -1 : -2 - 4 * waiters;
        section.UInt64(ulong.MaxValue).UInt32(lockCount).UInt32(owner == 0 ? 0 : recursion).UInt64(owner).UInt64(semaphore ?? ulong.MaxValue)
            .UInt64(0x04000000);
        section.ToArray().CopyTo(image.DataBytes, offset);
        return image.Data + (ulong)offset;
    }

    /// <summary>The process as a minidump.</summary>
    public byte[] ToMinidump() => new FakeMinidump(this).Write();

    /// <summary>An address on a thread's stack, above its stack pointer, where a wait block may lie. A multiple of 16.</summary>
    /// <param name="thread">Number of the thread.</param>
    public static ulong WaitBlockOf(int thread) => FirstStack + (ulong)thread * 0x10000 + FakeStack.Unused + FakeStack.WaitBlockOffset;

    /// <summary>How many threads the thread list claims more than it has; their entries lie behind the stream's end.</summary>
    public int ThreadsCutOff { get; set; }

    internal ulong TebAddress(int index) => TebAddresses?[index] ?? TebOf(index);

    private static ulong TebOf(int index) => FirstTeb + (ulong)index * 0x2000;

    private static ulong ComDataOf(int index) => FirstComData + (ulong)index * 0x1000;

    internal IFakeStack StackOf(int index)
    {
        ulong limit = FirstStack + (ulong)index * 0x10000;
        return IsArm64 ? new FakeArm64Stack(Threads[index], limit, StackSize) : new FakeStack(Threads[index], limit, StackSize);
    }

    internal SortedDictionary<ulong, byte[]> Memory()
    {
        SortedDictionary<ulong, byte[]> memory = new(MoreMemory);
        if (X86Contexts is not null)
        {
            return memory;
        }

        foreach (FakeImage image in HasImageMemory ? Images : [])
        {
            memory[image.BaseAddress] = image.ToMemory();
        }

        memory[Peb] = new ByteWriter().PadTo(0x10).UInt64(Images[0].BaseAddress).UInt64(LoaderData)
            .PadTo(0x30).UInt64(ProcessHeap).UInt64(FastPebLock).PadTo(0xE8).UInt32(Heaps.Count).PadTo(0xF0).UInt64(HeapArray).PadTo(0x110).UInt64(LoaderLock)
                .PadTo(0x800).ToArray();
        foreach ((int bucket, ulong block) in WaitBuckets)
        {
            BitConverter.GetBytes(block).CopyTo(memory[Peb], 0x3A0 + bucket * sizeof(ulong));
        }

        memory[HeapArray] = [.. Heaps.SelectMany(BitConverter.GetBytes), .. new byte[sizeof(ulong)]];
        memory[LoaderData] = new ByteWriter().PadTo(0x48).UInt64(ShutdownThread is null ? 0UL : 1).UInt64(ShutdownThread ?? 0).PadTo(0x100).ToArray();
        for (int i = 0; i < Threads.Count; i++)
        {
            ulong limit = FirstStack + (ulong)i * 0x10000;
            memory[limit] = StackOf(i).Bytes;
            if (HasTebMemory)
            {
                memory[TebOf(i)] = Teb(Threads[i], i, limit);
                if (HasComMemory && Threads[i].Com is var (flags, caller))
                {
                    memory[ComDataOf(i)] = new ByteWriter().PadTo(0x10).UInt32(1).UInt32(flags).PadTo(0x58).UInt32(caller).PadTo(0x200).ToArray();
                }
            }
        }

        return memory;
    }

    private static byte[] Teb(FakeThread thread, int index, ulong stackLimit) => new ByteWriter()
        .UInt64(thread.HasWowTebOffset ? 0 : thread.EmulatedTeb).UInt64(stackLimit + StackSize).UInt64(stackLimit)
        .PadTo(0x30).UInt64(TebOf(index)).PadTo(0x40).UInt64(Id).UInt64(thread.Id)
        .PadTo(0x60).UInt64(Peb).PadTo(0x78).UInt64(thread.IsGui ? 0xFFFF_8000_1234_5000 : 0)
        .PadTo(0x1488).UInt64(thread.CpuArea)
        .PadTo(0x1758).UInt64(thread.Com is null ? 0 : ComDataOf(index)).UInt32(thread.WaitsOnLoaderLock ? 1 : 0)
        .PadTo(0x17EE).UInt16(thread.IsLoadOwner ? 0x1000 : 0)
        .PadTo(0x180C).UInt32(thread is { EmulatedTeb: > 0, HasWowTebOffset: true } ? (int)((long)thread.EmulatedTeb - (long)TebOf(index)) : 0)
        .PadTo(0x1880).ToArray();
}
