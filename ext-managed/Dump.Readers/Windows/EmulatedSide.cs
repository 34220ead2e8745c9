using System.Buffers.Binary;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Readers.Minidump;
using Dump.Readers.Pe;
using Dump.Readers.Registers;
using Dump.Readers.Symbols;
using Dump.Readers.Unwinding;
using Dump.Readers.Unwinding.Frames;
using Dump.Readers.Windows.Layouts;
using Dump.Readers.Windows.Locks;
using Dump.Readers.Windows.Process;
using Dump.Readers.Windows.Waits;

namespace Dump.Readers.Windows;

/// <summary>
/// The 32-bit side of a process in a 64-bit dump (WoW64), which is the program's own; the 64-bit side is the layer that emulates its system calls.
/// </summary>
internal sealed class EmulatedSide
{
    private const string LayerName = @"\wow64.dll";
    private readonly Dictionary<int, WindowsThread> _threads;
    private readonly HashSet<int> _running;

    private EmulatedSide(ProcessSide side, HashSet<int> running)
    {
        Side = side;
        _running = running;
        _threads = side.Threads.ToDictionary(t => t.Saved.Index);
    }

    /// <summary>Its threads, blocks and locks.</summary>
    public ProcessSide Side { get; }

    /// <summary>True when the dump is a 64-bit one of a 32-bit process: wow64.dll carries it.</summary>
    public static bool Exists(MinidumpFile dump) =>
        dump.SystemInfo!.Architecture == ProcessorArchitecture.X64 && dump.ModuleList.Any(m => m.Path.EndsWith(LayerName, StringComparison.OrdinalIgnoreCase));

    /// <summary>Reads the side; null when the dump has none. Threads whose 32-bit half cannot be read are not among its threads.</summary>
    /// <param name="dump">The dump.</param>
    /// <param name="system">The system.</param>
    /// <param name="images">Images of the modules.</param>
    /// <param name="symbols">Names functions.</param>
    /// <param name="limits">Limits.</param>
    /// <param name="problems">Receives what is cut.</param>
    public static EmulatedSide? Read(
        MinidumpFile dump, SystemDescription system, PeImages images, ModuleSymbols symbols, ReadLimits limits, ICollection<ReaderProblem> problems)
    {
        if (!Exists(dump))
        {
            return null;
        }

        IStackWalker? walker = StackWalkers.Create(ProcessorArchitecture.X86, dump, dump, images, limits, frameDescriptions: symbols);
        ThreadWalks walks = new(dump, ProcessorArchitecture.X86, walker, symbols, limits, problems);
        SystemDescription narrow = system with { Architecture = ProcessorArchitecture.X86 };
        Wow64Layout wow64 = new(WindowsAbi.Of(system));
        TebLayout layout = new(WindowsAbi.Of(narrow));
        List<WindowsThread> threads = [];
        HashSet<int> running = [];
        foreach (MinidumpThread thread in dump.Threads)
        {
            if (EmulatedThread.Read(dump, images, thread, wow64, layout) is { } emulated)
            {
                threads.Add(walks.Walk(thread, emulated.Registers, emulated.Environment));
                if (emulated.RunsEmulatedCode)
                {
                    running.Add(thread.Index);
                }
            }
        }

        return new EmulatedSide(ProcessSide.Read(dump, narrow, symbols, threads), running);
    }

    /// <summary>The 32-bit half of a thread, or null when it cannot be read.</summary>
    public WindowsThread? Of(WindowsThread thread) => _threads.GetValueOrDefault(thread.Saved.Index);

    /// <summary>True when the thread was executing 32-bit code: the registers that the dump lists for it are those of that code.</summary>
    public bool IsRunning(WindowsThread thread) => _running.Contains(thread.Saved.Index);

    /// <summary>What each thread does and waits for: what its 32-bit code says, unless the 64-bit layer waits for a lock of its own.</summary>
    /// <param name="threads">The 64-bit halves.</param>
    /// <param name="layers">What was found of them.</param>
    /// <param name="descriptions">Receives what resources are in words.</param>
    public List<WaitFindings> Classify(
        IReadOnlyList<WindowsThread> threads, IReadOnlyList<WaitFindings> layers, Dictionary<Resource, ResourceDescription> descriptions)
    {
        Dictionary<int, WaitFindings> own = Side.Threads.Zip(Side.Classify(descriptions)).ToDictionary(t => t.First.Saved.Index, t => t.Second);
        return
        [
            .. threads.Zip(layers, (thread, layer) => !own.TryGetValue(thread.Saved.Index, out WaitFindings? emulated)
                || (!IsRunning(thread) && layer.Waits.Any(w => w.Resource.Facts.IsCriticalSection)) ? layer : emulated),
        ];
    }
}

/// <summary>The 32-bit side of a thread in a 64-bit dump.</summary>
/// <param name="Registers">Its 32-bit registers.</param>
/// <param name="Environment">Its 32-bit TEB.</param>
/// <param name="RunsEmulatedCode">True when the thread was executing 32-bit code: the registers that the dump lists are those of that code.</param>
internal sealed record EmulatedThread(X86Registers Registers, ThreadEnvironmentBlock Environment, bool RunsEmulatedCode)
{
    /// <summary>Reads it; null when anything of it is missing or does not fit together.</summary>
    /// <param name="memory">The process' memory.</param>
    /// <param name="images">Its images.</param>
    /// <param name="thread">The thread list's entry.</param>
    /// <param name="wow64">Where the 64-bit side keeps the 32-bit one.</param>
    /// <param name="layout">Where the 32-bit TEB has its fields.</param>
    public static EmulatedThread? Read(IMemory memory, PeImages images, MinidumpThread thread, Wow64Layout wow64, TebLayout layout)
    {
        bool runs = thread.Registers is X64Registers { Rip: <= uint.MaxValue } and { }
            && images.Find(thread.InstructionPointer!.Value, out _) is { Machine: PeLayout.MachineX86 };
        X86Registers? registers = runs ? Narrowed((X64Registers)thread.Registers!) : Saved(memory, thread.Teb);
        return registers is { } known
            && Candidates(memory, wow64, thread.Teb).Select(teb => ThreadEnvironmentBlock.Read(memory, layout, teb, thread.Id, known.StackPointer))
                .FirstOrDefault(e => e is not null) is { } environment
                ? new EmulatedThread(known, environment, runs)
                : null;
    }

    /// <summary>Where the 32-bit TEB may be; which is right its content tells.</summary>
    private static IEnumerable<ulong> Candidates(IMemory memory, Wow64Layout wow64, ulong teb)
    {
        if (memory.ReadUInt32(teb, wow64.TebWowTebOffset) is { } offset and not 0)
        {
            yield return unchecked(teb + (ulong)(int)offset);
        }

        if (memory.ReadUInt64(teb + Wow64Layout.TebExceptionList) is { } list and <= uint.MaxValue)
        {
            yield return list;
        }
    }

    /// <summary>The context that the emulation layer saved when the thread left 32-bit code.</summary>
    private static X86Registers? Saved(IMemory memory, ulong teb)
    {
        Span<byte> context = stackalloc byte[ContextLayout.X86Size];
        return teb is not 0 and < ulong.MaxValue - 0x10000
            && memory.ReadUInt64(teb + Wow64Layout.TebCpuReserved) is { } area and not 0 && area < ulong.MaxValue - ContextLayout.MaximumSize
            && memory.ReadUInt16(area + Wow64Layout.CpuMachine) is 0 or PeLayout.MachineX86
            && memory.TryRead(area + Wow64Layout.CpuContext, context)
            && (BinaryPrimitives.ReadUInt32LittleEndian(context[ContextLayout.X86Flags..]) & Wow64Layout.ContextIsX86) != 0
                ? X86Context.Registers(context)
                : null;
    }

    private static X86Registers Narrowed(in X64Registers wide)
    {
        X86Registers registers = X86Registers.At((uint)wide.Rip, (uint)wide.Rsp);
        for (X86Register register = X86Register.Eax; register <= X86Register.Edi; register++)
        {
            registers[register] = (uint)wide[(X64Register)(int)register];
        }

        return registers;
    }
}
