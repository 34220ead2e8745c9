namespace Dump.Testing.Synthetic;

/// <summary>A Windows 10 process made by hand: images, PEB, TEBs, stacks and locks, written as a minidump with constants of its own.</summary>
public sealed class FakeProcess
{
    private const ulong Peb = 0x7E000000;
    private const ulong LoaderData = 0x7E002000;
    private const ulong FirstTeb = 0x7F000000;
    private const ulong FirstStack = 0x10000000;
    private const int StackSize = 0x2000;
    private const uint Written = 1_700_000_000;
    private readonly SortedDictionary<ulong, byte[]> _memory = [];

    /// <summary>Images by load order.</summary>
    public List<FakeImage> Images { get; } = [];

    /// <summary>Threads.</summary>
    public List<FakeThread> Threads { get; } = [];

    /// <summary>Handles, or null for no handle stream.</summary>
    public List<FakeHandle>? Handles { get; set; }

    /// <summary>False to leave out TEB memory.</summary>
    public bool HasTebMemory { get; set; } = true;

    /// <summary>False to leave out the ThreadInfoList stream.</summary>
    public bool HasThreadTimes { get; set; } = true;

    /// <summary>Directory entries of type 0 (UnusedStream), as Microsoft's writer leaves them, at the directory's end.</summary>
    public int UnusedStreams { get; set; }

    /// <summary>Address of the loader lock.</summary>
    public ulong LoaderLock { get; set; }

    /// <summary>Writes a critical section of Windows 10 into an image's data: the waiters stand above two flag bits of LockCount.</summary>
    public static ulong Section(FakeImage image, int offset, uint owner, int waiters)
    {
        ByteWriter section = new();
        int lockCount = owner == 0 ? -1 : -2 - 4 * waiters;
        section.UInt64(ulong.MaxValue).UInt32(lockCount).UInt32(owner == 0 ? 0 : 1).UInt64(owner).UInt64(ulong.MaxValue).UInt64(0x04000000);
        section.ToArray().CopyTo(image.DataBytes, offset);
        return image.Data + (ulong)offset;
    }

    /// <summary>The process as a minidump.</summary>
    public byte[] ToMinidump()
    {
        foreach (FakeImage image in Images)
        {
            _memory[image.BaseAddress] = image.ToMemory();
        }

        _memory[Peb] = new ByteWriter().PadTo(0x10).UInt64(Images[0].BaseAddress).UInt64(LoaderData).PadTo(0x110).UInt64(LoaderLock).PadTo(0x800).ToArray();
        _memory[LoaderData] = new byte[0x100];
        for (int i = 0; i < Threads.Count; i++)
        {
            _memory[StackOf(i)] = Stack(Threads[i], i);
            if (HasTebMemory)
            {
                _memory[TebOf(i)] = Teb(Threads[i], i);
            }
        }

        return Write();
    }

    private static ulong TebOf(int index) => FirstTeb + (ulong)index * 0x2000;

    private static ulong StackOf(int index) => FirstStack + (ulong)index * 0x10000;

    private static ulong StackPointer(int index) => StackOf(index) + 0x1000;

    private static byte[] Teb(FakeThread thread, int index) => new ByteWriter()
        .PadTo(8).UInt64(StackOf(index) + StackSize).UInt64(StackOf(index))
        .PadTo(0x30).UInt64(TebOf(index)).PadTo(0x40).UInt64(0x1000).UInt64(thread.Id)
        .PadTo(0x60).UInt64(Peb)
        .PadTo(0x17EE).UInt16(thread.IsLoadOwner ? 0x1000 : 0)
        .PadTo(0x1880).ToArray();

    /// <summary>The stub's return address is on top; every other frame has 0x28 bytes below its return address.</summary>
    private static byte[] Stack(FakeThread thread, int index)
    {
        ByteWriter stack = new();
        stack.PadTo((int)(StackPointer(index) - StackOf(index)));
        for (int i = 1; i <= thread.Frames.Count; i++)
        {
            stack.UInt64(i < thread.Frames.Count ? thread.Frames[i].Address : 0);
            stack.PadTo(stack.Length + 0x28);
        }

        return stack.PadTo(StackSize).ToArray();
    }

    private byte[] Write()
    {
        List<(uint Type, Func<ByteWriter, (int Offset, int Size)> Write)> streams =
        [
            (7, SystemInfo), (15, MiscInfo), (3, ThreadList), (4, ModuleList),
        ];
        if (HasThreadTimes)
        {
            streams.Add((17, ThreadInfoList));
        }

        if (Handles is not null)
        {
            streams.Add((12, HandleData));
        }

        streams.Add((9, Memory64List));
        streams.AddRange(Enumerable.Repeat<(uint, Func<ByteWriter, (int, int)>)>((0, _ => (0, 0)), UnusedStreams));
        ByteWriter w = new();
        w.Bytes("MDMP"u8).UInt32(0xA793).UInt32(streams.Count).UInt32(32).UInt32(0).UInt32(Written).UInt64(0x61826);
        w.PadTo(32 + streams.Count * 12);
        for (int i = 0; i < streams.Count; i++)
        {
            (int offset, int size) = streams[i].Write(w);
            w.Patch(32 + i * 12, streams[i].Type);
            w.Patch(36 + i * 12, (uint)size);
            w.Patch(40 + i * 12, (uint)offset);
        }

        foreach (byte[] bytes in _memory.Values)
        {
            w.Bytes(bytes);
        }

        return w.ToArray();
    }

    private static (int, int) SystemInfo(ByteWriter w)
    {
        int at = w.Length;
        w.UInt16(9).UInt16(6).UInt16(0).Bytes(4, 1).UInt32(10).UInt32(0).UInt32(19045).UInt32(2).UInt32(0).PadTo(at + 56);
        return (at, 56);
    }

    private static (int, int) MiscInfo(ByteWriter w)
    {
        int at = w.Length;
        w.UInt32(24).UInt32(1).UInt32(0x1000).UInt32(0).UInt32(0).UInt32(0);
        return (at, 24);
    }

    private (int, int) ThreadList(ByteWriter w)
    {
        const int ContextSize = 0x4D0;
        int contexts = w.Length;
        for (int i = 0; i < Threads.Count; i++)
        {
            int at = w.Length;
            w.PadTo(at + 0x30).UInt32(0x10001F).PadTo(at + 0x80).UInt64(Threads[i].FirstArgument).PadTo(at + 0x98).UInt64(StackPointer(i));
            w.PadTo(at + 0xF8).UInt64(Threads[i].Frames[0].Address).PadTo(at + ContextSize);
        }

        int list = w.Length;
        w.UInt32(Threads.Count);
        for (int i = 0; i < Threads.Count; i++)
        {
            w.UInt32(Threads[i].Id).UInt32(0).UInt32(0x20).UInt32(0).UInt64(TebOf(i)).UInt64(StackPointer(i)).UInt32(0).UInt32(0);
            w.UInt32(ContextSize).UInt32(contexts + i * ContextSize);
        }

        return (list, w.Length - list);
    }

    private (int, int) ModuleList(ByteWriter w)
    {
        int[] names = [.. Images.Select(i => w.CountedString(i.Path))];
        int at = w.Length;
        w.UInt32(Images.Count);
        for (int i = 0; i < Images.Count; i++)
        {
            int entry = w.Length;
            w.UInt64(Images[i].BaseAddress).UInt32(Images[i].Size).UInt32(0).UInt32(0x60000000).UInt32(names[i]).PadTo(entry + 108);
        }

        return (at, w.Length - at);
    }

    private (int, int) ThreadInfoList(ByteWriter w)
    {
        const long TicksPerSecond = 10_000_000;
        const int AgeSeconds = 100;
        int at = w.Length;
        w.UInt32(12).UInt32(64).UInt32(Threads.Count);
        foreach (FakeThread thread in Threads)
        {
            ulong created = (ulong)DateTime.UnixEpoch.AddSeconds(Written - AgeSeconds).ToFileTimeUtc();
            w.UInt32(thread.Id).UInt32(0).UInt32(0).UInt32(259).UInt64(created).UInt64(0).UInt64(0);
            w.UInt64((ulong)(thread.ProcessorSeconds * TicksPerSecond)).UInt64(0).UInt64(15);
        }

        return (at, w.Length - at);
    }

    private (int, int) HandleData(ByteWriter w)
    {
        int[] types = [.. Handles!.Select(h => w.CountedString(h.Type))];
        List<int> information = [];
        foreach (FakeHandle handle in Handles!)
        {
            information.Add(w.Length);
            w.UInt32(0).UInt32(handle.InformationType).UInt32(handle.Information.Length).Bytes(handle.Information);
        }

        int at = w.Length;
        w.UInt32(16).UInt32(40).UInt32(Handles!.Count).UInt32(0);
        for (int i = 0; i < Handles.Count; i++)
        {
            w.UInt64(Handles[i].Value).UInt32(types[i]).UInt32(0).UInt32(0).UInt32(0x1F0003).UInt32(1).UInt32(2).UInt32(information[i]).UInt32(0);
        }

        return (at, w.Length - at);
    }

    private (int, int) Memory64List(ByteWriter w)
    {
        int at = w.Length;
        int size = 16 + _memory.Count * 16;
        w.UInt64((ulong)_memory.Count).UInt64((ulong)(at + size));
        foreach ((ulong address, byte[] bytes) in _memory)
        {
            w.UInt64(address).UInt64((ulong)bytes.Length);
        }

        return (at, size);
    }
}
