namespace Dump.Testing.Synthetic;

/// <summary>Writes a <see cref="FakeProcess"/> as a minidump.</summary>
internal sealed class FakeMinidump(FakeProcess process)
{
    private const uint Written = 1_700_000_000;
    private const int X64ContextSize = 0x4D0;
    private const int Arm64ContextSize = 0x390;
    private const int X86ContextSize = 0x2CC;
    private const int RangeSize = 16;
    private const ulong Flags = 0x61824;
    private const ulong FullMemoryFlag = 2;
    private readonly int _contextSize = process.X86Contexts is not null ? X86ContextSize : process.IsArm64 ? Arm64ContextSize : X64ContextSize;
    private readonly SortedDictionary<ulong, byte[]> _memory = process.Memory();

    /// <summary>The file.</summary>
    public byte[] Write()
    {
        List<FakeStream> streams = [new(7, SystemInfo), new(15, MiscInfo), new(3, ThreadList), new(4, ModuleList)];
        if (process.HasThreadTimes)
        {
            streams.Add(new(17, ThreadInfoList));
        }

        if (process.Handles is not null)
        {
            streams.Add(new(12, HandleData));
        }

        streams.AddRange(process.Streams);
        streams.Add(process.HasShortMemoryList ? new(5, MemoryList) : new(9, Memory64List));
        streams.AddRange(Enumerable.Repeat(new FakeStream(0, _ => (0, 0)), process.UnusedStreams));
        ByteWriter w = new();
        w.Bytes("MDMP"u8).UInt32(0xA793).UInt32(streams.Count).UInt32(32).UInt32(0).UInt32(Written + process.SecondsLater)
            .UInt64(process.HasShortMemoryList ? Flags : Flags | FullMemoryFlag);
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

    private (int, int) SystemInfo(ByteWriter w)
    {
        int servicePack = w.CountedString("");
        int at = w.Length;
        w.UInt16(process.X86Contexts is not null ? 0 : process.IsArm64 ? 12 : 9).UInt16(6).UInt16(0).Bytes(4, 1).UInt32(process.Version.Major)
            .UInt32(process.Version.Minor).UInt32(process.Version.Build);
        w.UInt32(2).UInt32(servicePack).PadTo(at + 56);
        return (at, 56);
    }

    private static (int, int) MiscInfo(ByteWriter w)
    {
        int at = w.Length;
        w.UInt32(24).UInt32(1).UInt32(FakeProcess.Id).UInt32(0).UInt32(0).UInt32(0);
        return (at, 24);
    }

    private (int, int) ThreadList(ByteWriter w)
    {
        int contexts = w.Length;
        IFakeStack?[] stacks = [.. process.Threads.Select((_, i) => process.X86Contexts is null ? process.StackOf(i) : null)];
        for (int i = 0; i < stacks.Length; i++)
        {
            if (stacks[i] is not { } stack)
            {
                w.Bytes(process.X86Contexts![i]);
            }
            else if (process.IsArm64)
            {
                Arm64Context(w, process.Threads[i], stack);
            }
            else
            {
                Context(w, process.Threads[i], stack);
            }
        }

        int list = w.Length;
        w.UInt32(process.Threads.Count + process.ThreadsCutOff);
        for (int i = 0; i < process.Threads.Count; i++)
        {
            w.UInt32(process.Threads[i].Id).UInt32(process.Threads[i].SuspendCount).UInt32(0x20).UInt32(0).UInt64(process.TebAddress(i))
                .UInt64(stacks[i]?.StackPointer ?? BitConverter.ToUInt32(process.X86Contexts![i], 0xC4)).UInt32(0).UInt32(0);
            w.UInt32(_contextSize).UInt32(contexts + i * _contextSize);
        }

        return (list, w.Length - list);
    }

    /// <summary>A CONTEXT: RAX to R15 in order of their numbers, then RIP.</summary>
    private static void Context(ByteWriter w, FakeThread thread, IFakeStack stack)
    {
        const int Rcx = 1;
        const int Rdx = 2;
        const int Rsp = 4;
        int at = w.Length;
        w.PadTo(at + 0x30).UInt32(0x10001F).PadTo(at + 0x78);
        for (int register = 0; register < stack.Registers.Length; register++)
        {
            w.UInt64(register switch
            {
                _ when thread.Volatile.TryGetValue(register, out ulong value) => value,
                Rcx => thread.FirstArgument,
                Rdx when thread.SecondArgument != 0 => thread.SecondArgument,
                Rsp => stack.StackPointer,
                _ => stack.Registers[register],
            });
        }

        w.UInt64(thread.Frames[0].Address).PadTo(at + X64ContextSize);
    }

    /// <summary>An ARM64 CONTEXT: flags, CPSR, X0 to X30, SP, PC.</summary>
    private static void Arm64Context(ByteWriter w, FakeThread thread, IFakeStack stack)
    {
        int at = w.Length;
        w.UInt32(0x40_0007).UInt32(0);
        foreach (ulong register in stack.Registers)
        {
            w.UInt64(register);
        }

        w.UInt64(stack.StackPointer).UInt64(thread.Frames[0].Address).PadTo(at + Arm64ContextSize);
    }

    private (int, int) ModuleList(ByteWriter w)
    {
        const uint FixedFileInfo = 0xFEEF04BD;
        (string Path, ulong BaseAddress, int Size)[] modules = [.. process.Images.Select(i => (i.Path, i.BaseAddress, i.Size)), .. process.MoreModules];
        int[] names = [.. modules.Select(i => w.CountedString(i.Path))];
        int at = w.Length;
        w.UInt32(modules.Length);
        for (int i = 0; i < modules.Length; i++)
        {
            int entry = w.Length;
            w.UInt64(modules[i].BaseAddress).UInt32(modules[i].Size).UInt32(0).UInt32(0x60000000).UInt32(names[i]);
            if (process.Images.FirstOrDefault(m => m.BaseAddress == modules[i].BaseAddress)?.FileVersion is { } version)
            {
                w.UInt32(FixedFileInfo).UInt32(0x10000).UInt32((uint)((version.Major << 16) | version.Minor)).UInt32((uint)((version.Build << 16) | version.Revision));
            }

            w.PadTo(entry + 108);
        }

        return (at, w.Length - at);
    }

    private (int, int) ThreadInfoList(ByteWriter w)
    {
        const long TicksPerSecond = 10_000_000;
        const int AgeSeconds = 100;
        int at = w.Length;
        w.UInt32(12).UInt32(64).UInt32(process.Threads.Count);
        foreach (FakeThread thread in process.Threads)
        {
            ulong created = (ulong)DateTime.UnixEpoch.AddSeconds(Written - AgeSeconds).ToFileTimeUtc();
            w.UInt32(thread.Id).UInt32(0).UInt32(0).UInt32(259).UInt64(created).UInt64(0).UInt64(0);
            w.UInt64((ulong)(thread.ProcessorSeconds * TicksPerSecond)).UInt64(0).UInt64(15);
        }

        return (at, w.Length - at);
    }

    private (int, int) HandleData(ByteWriter w)
    {
        List<FakeHandle> handles = process.Handles!;
        int[] types = [.. handles.Select(h => w.CountedString(h.Type))];
        int[] names = [.. handles.Select(h => h.Name is null ? 0 : w.CountedString(h.Name))];
        int[] information = [.. handles.Select(h => process.HasShortHandles ? 0 : h.WriteInformation(w))];
        int at = w.Length;
        w.UInt32(16).UInt32(process.HasShortHandles ? 32 : 40).UInt32(handles.Count).UInt32(0);
        for (int i = 0; i < handles.Count; i++)
        {
            w.UInt64(handles[i].Value).UInt32(types[i]).UInt32(names[i]).UInt32(0).UInt32(0x1F0003).UInt32(1).UInt32(2);
            if (!process.HasShortHandles)
            {
                w.UInt32(information[i]).UInt32(0);
            }
        }

        return (at, w.Length - at);
    }

    private (int, int) MemoryList(ByteWriter w)
    {
        int at = w.Length;
        int size = 4 + _memory.Count * RangeSize;
        int position = at + size;
        w.UInt32(_memory.Count);
        foreach ((ulong address, byte[] bytes) in _memory)
        {
            w.UInt64(address).UInt32(bytes.Length).UInt32(position);
            position += bytes.Length;
        }

        return (at, size);
    }

    private (int, int) Memory64List(ByteWriter w)
    {
        int at = w.Length;
        int size = 16 + _memory.Count * RangeSize;
        w.UInt64((ulong)_memory.Count).UInt64((ulong)(at + size));
        foreach ((ulong address, byte[] bytes) in _memory)
        {
            w.UInt64(address).UInt64((ulong)bytes.Length);
        }

        return (at, size);
    }
}
