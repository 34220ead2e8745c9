using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Readers.Minidump;
using Dump.Readers.Pe;
using Dump.Readers.Symbols;
using Dump.Readers.Unwinding;
using Dump.Readers.Unwinding.Frames;
using Dump.Readers.Windows.Layouts;
using Dump.Readers.Windows.Locks;
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
