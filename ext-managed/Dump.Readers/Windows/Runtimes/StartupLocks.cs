using System.Collections.Frozen;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Readers.Windows.Waits;

namespace Dump.Readers.Windows.Runtimes;

/// <summary>
/// Finds waits for the startup lock of Microsoft's C runtime, which each image has for itself and holds while it runs its initialisers. A waiter spins in
/// __scrt_acquire_startup_lock without any system call, exchanging __scrt_native_startup_lock for the base of its own stack (NT_TIB.StackBase) until it finds 0
/// there, so that the word names the owner; finding its own value it returns at once. Symbols name both. Source: vcruntime's utility.cpp, with which published
/// disassemblies of these functions for x64 and x86 agree.
/// </summary>
internal static class StartupLocks
{
    private const string Acquire = "__scrt_acquire_startup_lock";
    private const string Check = "__scrt_is_ucrt_dll_in_use";
    private const string Word = "__scrt_native_startup_lock";

    /// <summary>
    /// Adds the waits of threads that spin for such a lock, and its owner where exactly one thread's stack begins at the value and has the image's start code
    /// on it; suspected where other code of the image or too little is on it.
    /// </summary>
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

    /// <summary>What is missing to say who holds such a lock, once for each reason.</summary>
    /// <param name="process">The process.</param>
    /// <param name="findings">What its threads do and wait for, after <see cref="Complete"/>, in their order.</param>
    public static IEnumerable<MissingData> Missing(WindowsProcess process, IReadOnlyList<WaitFindings> findings)
    {
        HashSet<MissingData> missing = [];
        for (int i = 0; i < findings.Count; i++)
        {
            if (findings[i] is { Waits: [{ Resource: { Kind: ResourceKind.SpinLock } resource }] } && Spin(process, process.Threads[i]) is var (module, _)
                && !findings[i].Ownerships.Any(o => o.Grade > Grade.Suspected))
            {
                (string why, CaptureKind capture) = Why(process, module, resource, findings[i].Ownerships.FirstOrDefault());
                missing.Add(MissingData.Of(MissingKind.StartupLockOwner, subject: module.Name, detail: why, capture: capture));
            }
        }

        return missing;
    }

    /// <summary>Why the owner is unknown or only suspected, and what helps.</summary>
    private static (string Why, CaptureKind Capture) Why(WindowsProcess process, ModuleSnapshot module, Resource resource, OwnershipFact? suspected)
    {
        if (resource.Identity == 0)
        {
            return (process.Symbols.AddressIn(module, Word) is null ? $"no symbol tells where {Word} is" : "its memory is not in the dump",
                CaptureKind.FullDumpAndPdb);
        }

        if (suspected is not null)
        {
            return process.Threads.Any(t => t.Id == suspected.OwnerThreadId && IsSearched(t))
                ? ($"the thread whose stack begins at the value in it runs code of {module.Name}, but not seen to be its start code", CaptureKind.ThreadsInImageInitialiser)
                : ("the stack of the thread at whose base the value in it points is not known as far as that image's start code",
                    CaptureKind.FullDumpAndPdb);
        }

        return process.Threads.Any(t => t.Environment is null && process.Dump.ThreadInfos?.GetValueOrDefault(t.Id)?.HasExited != true)
            ? ("the value in it is the base of a stack, and thread blocks, which have these bases, are not in the dump", CaptureKind.FullDump)
            : ("the value in it fits no thread that runs code of that image", CaptureKind.ThreadsInImageInitialiser);
    }

    private static bool IsSearched(WindowsThread thread) => thread.End == StackEnd.Complete && thread.Frames.All(f => f.Trust > FrameTrust.Scan);

    /// <summary>
    /// The image in whose function the thread spins and the index of that function's frame; null when it does
    /// not. The function calls one other, which only tells whether the lock is used.
    /// </summary>
    private static (ModuleSnapshot Module, int Frame)? Spin(WindowsProcess process, WindowsThread thread)
    {
        int frame = thread.Frames.Length > 1 && Is(process, thread.Frames[0], Check) ? 1 : 0;
        return frame < thread.Frames.Length && Is(process, thread.Frames[frame], Acquire)
            && process.Dump.Find(thread.Frames[frame].InstructionPointer - (frame == 0 ? 0UL : 1UL)) is { } module
            ? (module, frame)
            : null;
    }

    /// <summary>True for a frame of that function by the image's PDB. C names of 32-bit code begin with one more underscore.</summary>
    public static bool Is(WindowsProcess process, StackFrame frame, string function) =>
        frame is { Symbol: SymbolSource.PublicSymbol or SymbolSource.Procedure, Trust: > FrameTrust.Scan, Function: { } name }
        && (name == function
            || (process.PointerSize == sizeof(uint) && name.Length == function.Length + 1 && name[0] == '_'
                && name.EndsWith(function, StringComparison.Ordinal)));

    /// <summary>The lock, which has no identity when its address or its value is unknown.</summary>
    private static (Resource Lock, ulong? Value) Read(WindowsProcess process, WindowsThread thread, ModuleSnapshot module) =>
        process.Symbols.AddressIn(module, Word) is { } address && process.Dump.ReadPointer(address, process.PointerSize) is { } value
            ? (new Resource(ResourceKind.SpinLock, address), value)
            : (new Resource(ResourceKind.SpinLock, 0, thread.Id), null);

    private static WaitFact Wait(WindowsThread thread, Resource resource, ulong? value, int frame)
    {
        Evidence inside = new(EvidenceSource.Stack,
            $"frame {frame} is {thread.Frames[frame].Module}!{Acquire}, by symbols: it spins there without system calls");
        Grade trust = thread.TrustOf(frame + 1);
        return new WaitFact(
            thread.Id, resource, WaitTimeout.Infinite,
            value is null || thread.Environment is null || trust == Grade.Suspected ? Grade.Suspected : Grade.Derived,
            value is { } holder
                ? [inside, new Evidence(EvidenceSource.Memory, $"{Word}, which is {Comparison(thread)}", resource.Identity, holder), .. thread.Cautions]
                : [inside, .. thread.Cautions]);
    }

    private static string Comparison(WindowsThread thread) => thread.Environment is null ? "not 0; the base of this thread's own stack is not in the dump"
        : "neither 0 nor the base of this thread's own stack";

    /// <summary>
    /// A thread may have ended without giving the lock back, and its stack may be another's since, which runs
    /// other functions of the image: the owner is inside of the image's start code.
    /// </summary>
    private static OwnershipFact? Owner(WindowsProcess process, ModuleSnapshot module, Resource resource, ulong stack)
    {
        if (process.Threads.Where(t => t.Environment?.Stack.Base == stack).ToArray() is not [var owner])
        {
            return null;
        }

        int? start = StartCode.FrameOn(process, owner, module);
        if (start is null && owner.End == StackEnd.Complete && !owner.Frames.Where((f, i) => StartCode.LiesIn(module, f, i)).Any())
        {
            return null;
        }

        return new OwnershipFact(
            resource, owner.Id, true, null, start is null ? Grade.Suspected : Grade.Derived,
            [
                new Evidence(EvidenceSource.Memory, $"{Word} holds the base of the stack of thread 0x{owner.Id:x}, and that of no other thread",
                    resource.Identity, stack),
                start is { } frame ? new Evidence(EvidenceSource.Stack, $"frame {frame} of that thread is start code of {module.Name}")
                    : new Evidence(
                        EvidenceSource.Rule,
                        $"that it runs start code of {module.Name} is not seen on its stack, which an ended thread may have had before, with the lock"),
            ]);
    }
}

/// <summary>
/// Recognises on a stack that a thread runs the code with which an image's C runtime starts or ends it, rather than any function of that image.
/// </summary>
internal static class StartCode
{
    // Functions of ntdll under which the loader tells an image that it has been loaded or is about to be unloaded; the first is named only with symbols.
    private static readonly FrozenSet<string> s_loading = FrozenSet.Create("LdrpCallInitRoutine", "LdrLoadDll", "LdrUnloadDll", "LdrInitializeThunk",
        "LdrShutdownProcess");

    // Under these the same code is told of threads, for which it takes no startup lock.
    private static readonly FrozenSet<string> s_threads = FrozenSet.Create("LdrShutdownThread", "LdrpInitializeThread");

    // vcruntime's exe_main.cpp and exe_common.inl: the first jumps to the second in optimised code, so that either may be on the stack.
    private static readonly string[] s_program = ["mainCRTStartup", "wmainCRTStartup", "WinMainCRTStartup", "wWinMainCRTStartup", "__scrt_common_main_seh"];

    /// <summary>
    /// Index of the image's outermost frame inside of its start code: the program's entry by symbols, or the frame that the loader called; null when none is
    /// seen. A guessed frame, or one behind a guessed frame, shows nothing.
    /// </summary>
    /// <param name="process">The process.</param>
    /// <param name="thread">The thread whose stack is searched.</param>
    /// <param name="module">The image.</param>
    public static int? FrameOn(WindowsProcess process, WindowsThread thread, ModuleSnapshot module)
    {
        StackFrame[] sure = [.. thread.Frames.TakeWhile(f => f.Trust > FrameTrust.Scan)];
        for (int i = 0; i < sure.Length; i++)
        {
            if (LiesIn(module, sure[i], i) && (IsProgramEntry(process, sure[i]) || IsCalledByLoader(sure.Skip(i + 1))))
            {
                return i;
            }
        }

        return null;
    }

    /// <summary>True for a frame in the image; a return address may stand behind the image's last instruction.</summary>
    /// <param name="module">The image.</param>
    /// <param name="frame">The frame.</param>
    /// <param name="index">Its index on its stack.</param>
    public static bool LiesIn(ModuleSnapshot module, StackFrame frame, int index) => module.Contains(frame.InstructionPointer - (index == 0 ? 0UL : 1UL));

    private static bool IsProgramEntry(WindowsProcess process, StackFrame frame) => s_program.Any(name => StartupLocks.Is(process, frame, name));

    /// <summary>The unbroken run of ntdll's frames: code of others in between may be something else that the image asked the loader for.</summary>
    private static bool IsCalledByLoader(IEnumerable<StackFrame> outer)
    {
        string[] run = [.. outer.TakeWhile(f => f.ModuleStem == "ntdll").Select(f => f.Function ?? "")];
        return run.Any(s_loading.Contains) && !run.Any(s_threads.Contains);
    }
}
