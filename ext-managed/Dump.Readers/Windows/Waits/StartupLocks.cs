using Dump.Model;

namespace Dump.Readers.Windows.Waits;

/// <summary>
/// Finds waits for the startup lock of Microsoft's C runtime, which each image has for itself and holds while it runs its initialisers. A waiter spins in __scrt_acquire_startup_lock without any
/// system call, exchanging __scrt_native_startup_lock for the base of its own stack (NT_TIB.StackBase) until it finds 0 there, so that the word names the owner; finding its own value it returns at
/// once. Symbols name both. Source: vcruntime's utility.cpp, with which published disassemblies of these functions for x64 and x86 agree.
/// </summary>
internal static class StartupLocks
{
    private const string Acquire = "__scrt_acquire_startup_lock";
    private const string Check = "__scrt_is_ucrt_dll_in_use";
    private const string Word = "__scrt_native_startup_lock";

    /// <summary>Adds the waits of threads that spin for such a lock, and its owner where exactly one thread's stack begins at the value and has the image's code on it.</summary>
    /// <param name="process">The process.</param>
    /// <param name="findings">One for each thread, in the threads' order.</param>
    /// <param name="descriptions">Receives what the locks are in words.</param>
    public static List<WaitFindings> Complete(WindowsProcess process, List<WaitFindings> findings, IDictionary<Resource, ResourceDescription> descriptions)
    {
        List<WaitFindings> completed = [.. findings];
        Dictionary<Resource, OwnershipFact?> owners = [];
        for (int i = 0; i < findings.Count; i++)
        {
            WindowsThread thread = process.Threads[i];
            if (findings[i].Waits.Count > 0 || Spin(process, thread) is not var (module, frame))
            {
                continue;
            }

            (Resource lockWord, ulong? value) = Read(process, thread, module);
            if (value == 0 || (value is { } own && own == thread.Environment?.Stack.Base))
            {
                // The lock is free, or the thread's own already: it is about to return.
                continue;
            }

            descriptions[lockWord] = new ResourceDescription($"C runtime startup lock of {module.Name}", null);
            if (value is { } stack && !owners.ContainsKey(lockWord))
            {
                owners[lockWord] = Owner(process, module, lockWord, stack);
            }

            completed[i] = findings[i] with
            {
                Waits = [Wait(thread, lockWord, value, frame)],
                Ownerships = owners.GetValueOrDefault(lockWord) is { } owner ? [owner] : [],
            };
        }

        return completed;
    }

    /// <summary>What is missing to say who holds such a lock.</summary>
    /// <param name="process">The process.</param>
    /// <param name="findings">What its threads do and wait for, after <see cref="Complete"/>, in their order.</param>
    public static IEnumerable<MissingData> Missing(WindowsProcess process, IReadOnlyList<WaitFindings> findings)
    {
        for (int i = 0; i < findings.Count; i++)
        {
            if (findings[i] is { Waits: [{ Resource: { Kind: ResourceKind.SpinLock } resource }], Ownerships.Count: 0 } && Spin(process, process.Threads[i]) is var (module, _))
            {
                yield return new MissingData(
                    $"the owner of the C runtime's startup lock of {module.Name}, for which a thread spins ({Why(process, module, resource)})",
                    "a cycle through that lock can be neither shown nor excluded",
                    resource.Identity == 0
                        ? $"procdump -ma PID, and --symbols PATH with the PDB of {module.Name}"
                        : "no other dump of this hang has it; dumpanalyze threads FILE shows who runs an initialiser of that image");
            }
        }
    }

    private static string Why(WindowsProcess process, ModuleSnapshot module, Resource resource) =>
        resource.Identity != 0 ? "the value in it fits no thread that runs code of that image"
        : process.Symbols.AddressIn(module, Word) is null ? $"no symbol tells where {Word} is"
        : "its memory is not in the dump";

    /// <summary>The image in whose function the thread spins and the index of that function's frame; null when it does not. The function calls one other, which only tells whether the lock is used.</summary>
    private static (ModuleSnapshot Module, int Frame)? Spin(WindowsProcess process, WindowsThread thread)
    {
        int frame = thread.Frames.Length > 1 && Is(process, thread.Frames[0], Check) ? 1 : 0;
        return frame < thread.Frames.Length && Is(process, thread.Frames[frame], Acquire)
            && process.Dump.Find(thread.Frames[frame].InstructionPointer - (frame == 0 ? 0UL : 1UL)) is { } module
            ? (module, frame)
            : null;
    }

    /// <summary>True for a frame of that function by the image's PDB. C names of 32-bit code begin with one more underscore.</summary>
    private static bool Is(WindowsProcess process, StackFrame frame, string function) =>
        frame is { Symbol: SymbolSource.PublicSymbol or SymbolSource.Procedure, Trust: > FrameTrust.Scan, Function: { } name }
        && (name == function || (process.PointerSize == sizeof(uint) && name.Length == function.Length + 1 && name[0] == '_' && name.EndsWith(function, StringComparison.Ordinal)));

    /// <summary>The lock, which has no identity when its address or its value is unknown.</summary>
    private static (Resource Lock, ulong? Value) Read(WindowsProcess process, WindowsThread thread, ModuleSnapshot module) =>
        process.Symbols.AddressIn(module, Word) is { } address && process.Dump.ReadPointer(address, process.PointerSize) is { } value
            ? (new Resource(ResourceKind.SpinLock, address), value)
            : (new Resource(ResourceKind.SpinLock, 0, thread.Id), null);

    private static WaitFact Wait(WindowsThread thread, Resource resource, ulong? value, int frame)
    {
        Evidence inside = new(EvidenceSource.Stack, $"frame {frame} is {thread.Frames[frame].Module}!{Acquire}, by symbols: it spins there without system calls");
        Grade trust = thread.TrustOf(frame + 1);
        return new WaitFact(
            thread.Id, resource, WaitTimeout.Infinite,
            value is null || trust == Grade.Suspected ? Grade.Suspected : Grade.Derived,
            value is { } holder ? [inside, new Evidence(EvidenceSource.Memory, $"{Word}, which is neither 0 nor the base of this thread's own stack", resource.Identity, holder), .. thread.Cautions]
                : [inside, .. thread.Cautions]);
    }

    /// <summary>A thread may have ended without giving the lock back, and its stack may be another's since: the owner is inside of the image's start code.</summary>
    private static OwnershipFact? Owner(WindowsProcess process, ModuleSnapshot module, Resource resource, ulong stack)
    {
        if (process.Threads.Where(t => t.Environment?.Stack.Base == stack).ToArray() is not [var owner])
        {
            return null;
        }

        int inside = owner.Frames.Select((f, i) => i == 0 ? f.InstructionPointer : f.InstructionPointer - 1).ToList().FindIndex(module.Contains);
        if (inside < 0 && owner.End == StackEnd.Complete)
        {
            return null;
        }

        bool isSure = inside >= 0 && owner.Frames[inside].Trust > FrameTrust.Scan;
        return new OwnershipFact(
            resource, owner.Id, true, null, isSure ? Grade.Derived : Grade.Suspected,
            [
                new Evidence(EvidenceSource.Memory, $"{Word} holds the base of the stack of thread 0x{owner.Id:x}, and that of no other thread", resource.Identity, stack),
                isSure ? new Evidence(EvidenceSource.Stack, $"frame {inside} of that thread lies in {module.Name}")
                    : new Evidence(EvidenceSource.Rule, $"that it runs code of {module.Name} is not sure: its stack is not known as far as that"),
            ]);
    }
}
