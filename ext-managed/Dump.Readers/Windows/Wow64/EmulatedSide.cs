using Dump.Model;
using Dump.Readers.Minidump;
using Dump.Readers.Pe;
using Dump.Readers.Symbols;
using Dump.Readers.Unwinding;
using Dump.Readers.Windows.Waits;

namespace Dump.Readers.Windows.Wow64;

/// <summary>The 32-bit side of a process in a 64-bit dump (WoW64), which is the program's own; the 64-bit side is the layer that emulates its system calls.</summary>
/// <param name="Side">Its threads, blocks and locks.</param>
/// <param name="RunningEmulatedCode">Ids of the threads that were executing 32-bit code: the registers that the dump lists for them are those of that code.</param>
internal sealed record EmulatedSide(ProcessSide Side, IReadOnlySet<uint> RunningEmulatedCode)
{
    private const string LayerName = @"\wow64.dll";

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

        IStackWalker? walker = StackWalkers.Create(ProcessorArchitecture.X86, dump, dump, images, limits);
        ThreadWalks walks = new(dump, ProcessorArchitecture.X86, walker, symbols, limits, problems);
        List<WindowsThread> threads = [];
        HashSet<uint> running = [];
        foreach (MinidumpThread thread in dump.Threads)
        {
            if (EmulatedThread.Read(dump, images, thread) is { } emulated)
            {
                threads.Add(walks.Walk(thread, emulated.Registers, emulated.Environment));
                if (emulated.RunsEmulatedCode)
                {
                    running.Add(thread.Id);
                }
            }
        }

        return new EmulatedSide(ProcessSide.Read(dump, system with { Architecture = ProcessorArchitecture.X86 }, symbols, threads), running);
    }

    /// <summary>The 32-bit half of a thread, or null when it cannot be read.</summary>
    public WindowsThread? Of(WindowsThread thread) => Side.Threads.FirstOrDefault(t => t.Saved.Index == thread.Saved.Index);

    /// <summary>What a thread does and waits for: what its 32-bit code says, unless the 64-bit layer waits for a lock of its own.</summary>
    /// <param name="thread">The 64-bit half.</param>
    /// <param name="layer">What was found of that half.</param>
    public WaitFindings Classify(WindowsThread thread, WaitFindings layer) =>
        Of(thread) is not { } emulated || (!RunningEmulatedCode.Contains(thread.Id) && layer.Waits.Any(w => w.Resource.Kind is ResourceKind.CriticalSection or ResourceKind.LoaderLock))
            ? layer
            : WaitClassifier.Classify(Side.Process, emulated);
}
