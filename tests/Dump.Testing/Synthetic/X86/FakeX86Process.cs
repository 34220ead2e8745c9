namespace Dump.Testing.Synthetic.X86;

/// <summary>
/// A 32-bit process made by hand, written as a 32-bit minidump or, with a 64-bit layer under it (WoW64), as a 64-bit one; with constants of its own.
/// </summary>
public sealed class FakeX86Process
{
    private const uint Peb = 0x7E60_0000;
    private const uint LoaderData = 0x7E60_2000;
    private const uint FirstTeb = 0x7E70_0000;
    private const uint FirstStack = 0x0200_0000;
    private const uint StackSize = 0x4000;
    private const uint Unused = 0x1000;
    private const uint Locals = 0x10;
    private const uint FirstComData = 0x7D00_0000;
    private const uint TebDistance = 0x3000;
    private const ulong CpuArea = 0x2_0000_0000;

    /// <summary>Images by load order.</summary>
    public List<FakeX86Image> Images { get; } = [];

    /// <summary>Threads.</summary>
    public List<FakeX86Thread> Threads { get; } = [];

    /// <summary>Handles.</summary>
    public List<FakeHandle> Handles { get; } = [];

    /// <summary>False to leave out what COM keeps of threads, as dumps without the heap do.</summary>
    public bool HasComMemory { get; set; } = true;

    /// <summary>Address of the loader lock.</summary>
    public uint LoaderLock { get; set; }

    /// <summary>The 64-bit loader lock under WoW64, in the data of the 64-bit ntdll: owner and number of waiters.</summary>
    public (uint Owner, int Waiters) LayerLoaderLock { get; set; }

    /// <summary>The 64-bit ntdll of the WoW64 layer.</summary>
    public FakeImage LayerNtdll { get; } = new(@"C:\Windows\System32\ntdll.dll", 0x7FFA_3000_0000);

    /// <summary>Machine in WOW64_CPURESERVED.</summary>
    public int CpuMachine { get; set; } = 0x14C;

    /// <summary>Under WoW64: the thread whose 32-bit side is left out of the dump; null for none.</summary>
    public uint? Unreadable { get; set; }

    /// <summary>
    /// Under WoW64: whether the 64-bit TEB has its distance to the 32-bit one (Windows 10) or its address in place of the exception list (before).
    /// </summary>
    public bool HasWowTebOffset { get; set; } = true;

    /// <summary>The process as a 32-bit minidump.</summary>
    public FakeProcess ToX86()
    {
        FakeProcess process = new() { X86Contexts = [.. Threads.Select((t, i) => Context(i))], Handles = Handles };
        foreach (FakeX86Image image in Images)
        {
            process.MoreModules.Add((image.Path, image.BaseAddress, image.Size));
        }

        for (int i = 0; i < Threads.Count; i++)
        {
            process.Threads.Add(new FakeThread(Threads[i].Id, [], 0, false, Threads[i].ProcessorSeconds));
        }

        process.TebAddresses = [.. Threads.Select((_, i) => (ulong)TebOf(i))];
        Write(process.MoreMemory);
        return process;
    }

    /// <summary>The process as a 64-bit minidump.</summary>
    public FakeProcess ToWow64()
    {
        FakeImage layer = new(@"C:\Windows\System32\wow64.dll", 0x7FFA_1000_0000);
        FakeFunction[] emulation = [LayerNtdll.Stub("NtDelayExecution"), layer.Function("whNtSystemCall", exported: false),
            layer.Function("Wow64LdrpInitialize"), LayerNtdll.Function("LdrInitializeThunk")];
        FakeProcess process = new()
        {
            Images = { layer, LayerNtdll },
            LoaderLock = FakeProcess.Section(LayerNtdll, 0x200, LayerLoaderLock.Owner, LayerLoaderLock.Waiters),
            Handles = Handles,
        };
        foreach (FakeX86Image image in Images)
        {
            process.MoreModules.Add((image.Path, image.BaseAddress, image.Size));
        }

        Write(process.MoreMemory);
        for (int i = 0; i < Threads.Count; i++)
        {
            FakeX86Thread thread = Threads[i];
            ulong area = CpuArea + (ulong)i * 0x1000;
            process.Threads.Add((thread.Layer ?? new FakeThread(thread.Id, emulation)) with
            {
                ProcessorSeconds = thread.ProcessorSeconds,
                CpuArea = area,
                EmulatedTeb = TebOf(i),
                HasWowTebOffset = HasWowTebOffset,
            });
            if (thread.Id == Unreadable)
            {
                process.MoreMemory.Remove(TebOf(i));
            }

            process.MoreMemory[area] = new ByteWriter().UInt16(2).UInt16(CpuMachine).Bytes(Context(i)).PadTo(0x400).ToArray();
        }

        return process;
    }

    private static uint TebOf(int index) => FirstTeb + (uint)index * TebDistance;

    private static uint ComDataOf(int index) => FirstComData + ((uint)index * 0x1000);

    private static uint StackOf(int index) => FirstStack + (uint)index * 0x10000;

    /// <summary>The 32-bit CONTEXT: EBP is that of the first function with a frame.</summary>
    private byte[] Context(int index)
    {
        (uint esp, uint ebp, _) = Stack(index);
        return new ByteWriter().UInt32(0x1007F).PadTo(0x8C).UInt32(0x2B).UInt32(0x53).UInt32(0x2B).UInt32(0x2B).PadTo(0xB4)
            .UInt32(ebp).UInt32(Threads[index].Frames[0].Address).UInt32(0x23).UInt32(0x202).UInt32(esp).UInt32(0x2B).PadTo(0x2CC).ToArray();
    }

    /// <summary>
    /// Stack pointer, first frame pointer and bytes. From the stub up: return address and arguments, then for each function its locals, saved frame pointer,
    /// return address and arguments.
    /// </summary>
    private (uint Esp, uint Ebp, byte[] Bytes) Stack(int index)
    {
        FakeX86Thread thread = Threads[index];
        uint limit = StackOf(index);
        byte[] bytes = new byte[StackSize];
        uint esp = limit + Unused;
        uint at = esp;
        List<uint> pointers = [];
        for (int i = 0; i < thread.Frames.Count; i++)
        {
            if (!thread.Frames[i].IsStub)
            {
                at += Locals;
                pointers.Add(at);
                at += sizeof(uint);
            }

            Put(at, i + 1 < thread.Frames.Count ? thread.Frames[i + 1].Address : 0);
            at += sizeof(uint);
            for (int argument = 0; argument < thread.Frames[i].Arguments; argument++, at += sizeof(uint))
            {
                Put(at, i == 0 && argument < thread.Arguments.Count ? thread.Arguments[argument]
                    : thread.Passed.FirstOrDefault(p => p.Frame == i && p.Argument == argument).Value);
            }
        }

        for (int i = 0; i + 1 < pointers.Count; i++)
        {
            Put(pointers[i], pointers[i + 1]);
        }

        return (esp, pointers.FirstOrDefault(), bytes);

        void Put(uint address, uint value) => BitConverter.GetBytes(value).CopyTo(bytes, (int)(address - limit));
    }

    private void Write(SortedDictionary<ulong, byte[]> memory)
    {
        foreach (FakeX86Image image in Images)
        {
            memory[image.BaseAddress] = image.ToMemory();
        }

        memory[Peb] = new ByteWriter().PadTo(0x8).UInt32(Images[0].BaseAddress).UInt32(LoaderData).PadTo(0xA0).UInt32(LoaderLock).PadTo(0x480).ToArray();
        memory[LoaderData] = new byte[0x100];
        for (int i = 0; i < Threads.Count; i++)
        {
            memory[StackOf(i)] = Stack(i).Bytes;
            if (HasComMemory && Threads[i].Com is var (flags, caller))
            {
                memory[ComDataOf(i)] = new ByteWriter().PadTo(8).UInt32(1).UInt32(flags).PadTo(0x34).UInt32(caller).PadTo(0x100).ToArray();
            }

            memory[TebOf(i)] = new ByteWriter().PadTo(4).UInt32(StackOf(i) + StackSize).UInt32(StackOf(i)).PadTo(0x18).UInt32(TebOf(i)).PadTo(0x20)
                .UInt32(FakeProcess.Id).UInt32(Threads[i].Id)
                .PadTo(0x30).UInt32(Peb).PadTo(0xF80).UInt32(Threads[i].Com is null ? 0 : ComDataOf(i)).PadTo(0xFCA).UInt16(Threads[i].IsLoadOwner ? 0x1000 : 0)
                    .PadTo(0x1040).ToArray();
        }
    }
}
