using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Readers.Minidump;
using Dump.Readers.Symbols;
using Dump.Readers.Windows.Layouts;
using Dump.Readers.Windows.Locks;

namespace Dump.Readers.Windows.Waits;

/// <summary>What all threads of the process share while waits are classified.</summary>
internal sealed class WindowsProcess
{
    private readonly Dictionary<ulong, MinidumpHandle> _handles;
    private readonly HashSet<uint> _threads;

    public WindowsProcess(MinidumpFile dump, SystemDescription system, ISymbols symbols, ulong? loaderLock, IReadOnlyList<WindowsThread> threads)
    {
        Dump = dump;
        System = system;
        Symbols = symbols;
        LoaderLock = loaderLock;
        Threads = threads;
        _threads = [.. dump.Threads.Select(t => t.Id)];
        _handles = (dump.Handles ?? []).GroupBy(h => h.Value).ToDictionary(g => g.Key, g => g.First());
        WaitingStacks = new WaitingStacks(threads);
        Abi = WindowsAbi.Of(system);
        Sections = new CriticalSectionReader(dump, Abi, _threads.Contains);
    }

    public MinidumpFile Dump { get; }

    public SystemDescription System { get; }

    public ISymbols Symbols { get; }

    /// <summary>Pointer size and version, by which layouts differ.</summary>
    public WindowsAbi Abi { get; }

    /// <summary>Size of an address in bytes.</summary>
    public int PointerSize => Abi.PointerSize;

    /// <summary>Address of the loader lock, or null when unknown.</summary>
    public ulong? LoaderLock { get; }

    public IReadOnlyList<WindowsThread> Threads { get; }

    public CriticalSectionReader Sections { get; }

    /// <summary>The process' id, or null when the dump does not record it.</summary>
    public uint? Id => Dump.MiscInfo?.ProcessId;

    /// <summary>
    /// True when the argument registers of a thread in a system call can be believed (once validated): Windows 10 and later; Wine leaves stale values.
    /// </summary>
    public bool ArgumentsAreInRegisters => System.MajorVersion >= 10 && !System.IsWine;

    /// <summary>The handle with a value, whose two lowest bits do not count (ntdef.h, OBJ_HANDLE_TAGBITS), or null when the dump has no such handle.</summary>
    public MinidumpHandle? Handle(ulong value) => _handles.GetValueOrDefault(value & ~3UL);

    /// <summary>True when a process id is recorded and is that of another process.</summary>
    public bool IsForeign(uint? processId) => processId is { } other && Id is { } own && other != own;

    /// <summary>True for an address in ntdll's image.</summary>
    public bool IsInNtdll(ulong address) => Dump.Find(address)?.Name.Equals("ntdll.dll", StringComparison.OrdinalIgnoreCase) == true;

    /// <summary>True when the thread list has the id.</summary>
    public bool IsThread(uint id) => _threads.Contains(id);

    /// <summary>
    /// Whether a thread exists: false only when the thread list is complete without it, null when the list is damaged or cut and does not have it.
    /// </summary>
    public bool? Exists(uint id) => _threads.Contains(id) ? true : Dump.HasAllThreads ? false : null;

    /// <summary>Addresses that threads wait on by the system's own table, by thread id; empty where it is not readable or not understood.</summary>
    public IReadOnlyDictionary<uint, ulong> WaitedAddresses { get; set; } = new Dictionary<uint, ulong>();

    /// <summary>The stacks of threads that wait by address or by keyed event.</summary>
    public WaitingStacks WaitingStacks { get; }

    /// <summary>Resource of a critical section, which is the loader lock when the address is its.</summary>
    public Resource ResourceOf(CriticalSection section) =>
        new(section.Address == LoaderLock ? ResourceKind.LoaderLock : ResourceKind.CriticalSection, section.Address);

    /// <summary>Who holds a locked critical section.</summary>
    public OwnershipFact OwnershipOf(CriticalSection section) => new(
        ResourceOf(section),
        section.OwnerThreadId,
        Exists(section.OwnerThreadId),
        section.RecursionCount,
        Grade.Proven,
        [
            new Evidence(
                EvidenceSource.Memory,
                $"RTL_CRITICAL_SECTION.OwningThread, RecursionCount {section.RecursionCount}, {section.WaiterCount} waiting",
                section.Address + (ulong)Sections.Layout.OwningThread,
                section.OwnerThreadId),
        ])
    {
        Contentions = section.Contentions,
    };
}
