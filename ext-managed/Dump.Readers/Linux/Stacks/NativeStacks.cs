using System.Buffers.Binary;
using System.Collections.Frozen;
using System.Collections.Immutable;
using Dump.Model;
using Dump.Model.Facts;
using Dump.Model.Mangling;
using Dump.Model.Process;
using Dump.Readers.Elf;
using Dump.Readers.ElfCore;
using Dump.Readers.Linux.Code;
using Dump.Readers.Instructions;
using Dump.Readers.Linux.Waits;

namespace Dump.Readers.Linux.Stacks;

/// <summary>
/// The native stacks of a Linux process. In a .NET process code that the runtime compiles has no call-frame information, and the managed half walks it: of its
/// threads the innermost frame is enough, but for those in a native library of the program, and those that wait for or own a native lock.
/// </summary>
internal sealed class NativeStacks
{
    // Of all threads together: what one frame costs is limited too, so that a hostile core costs seconds.
    private const int MostFrames = 200_000;
    private readonly ElfMappedFiles _files;
    private readonly Dictionary<string, ModuleSnapshot> _modules;
    private readonly Dictionary<LoadedImage, IReadOnlyDictionary<ulong, string>> _tailCalls = [];
    private readonly ElfImages? _images;
    private readonly LinuxStackWalker? _walker;
    private readonly MachineCode _code;
    private readonly StackScan? _search;
    private readonly Dictionary<int, ImmutableArray<ulong>> _lookups = [];
    private readonly Dictionary<ulong, (ElfFunction? Function, string? Name)> _functions = [];
    private readonly HashSet<uint> _lockThreads;
    private readonly bool _runsDotNet;
    private readonly bool _hasLibrary;
    private readonly string? _singleFile;
    private int _framesLeft = MostFrames;

    /// <summary>Prepares the walks.</summary>
    /// <param name="architecture">Architecture of its code.</param>
    /// <param name="files">Its mapped files.</param>
    /// <param name="memory">Its memory, and what is loaded into it; null for none, so that stacks are their innermost frames.</param>
    /// <param name="segments">Its mappings by address, with what may be executed; empty where no stack is searched.</param>
    /// <param name="modules">Its modules.</param>
    /// <param name="lockThreads">Threads that wait for native locks or own one.</param>
    public NativeStacks(
        ProcessorArchitecture architecture, ElfMappedFiles files, (IMemory Content, ElfImages Images)? memory, IReadOnlyList<ElfSegment> segments,
        ImmutableArray<ModuleSnapshot> modules, HashSet<uint> lockThreads)
    {
        _files = files;
        _lockThreads = lockThreads;
        _runsDotNet = modules.Any(m => m.IsDotNetRuntime);
        _hasLibrary = LibraryEntry.IsAmong(modules);
        _singleFile = modules.FirstOrDefault(m => m.HoldsDotNetRuntime == true)?.Name;
        _modules = modules.DistinctBy(m => m.Path).ToDictionary(m => m.Path, StringComparer.Ordinal);
        _code = MachineCode.Of(LinuxMachine.Of(architecture));
        if (memory is { } known)
        {
            _images = known.Images;
            _walker = new LinuxStackWalker(known.Content, known.Images);
            _search = segments.Count == 0 ? null : new StackScan(known.Content, known.Images, segments.ToArray(), _code);
        }
    }

    /// <summary>True for a process whose native stacks are walked whole and named here.</summary>
    /// <param name="modules">Its modules.</param>
    public static bool AreWalked(ImmutableArray<ModuleSnapshot> modules) => !modules.Any(m => m.IsDotNetRuntime);

    /// <summary>True when all its stacks are walked whole.</summary>
    public bool AreWhole => _walker is not null && !_runsDotNet;

    /// <summary>
    /// The stack of a thread; where stacks are whole, only functions of the C and C++ library have their names, which in a program that is linked statically are
    /// among its own.
    /// </summary>
    public ThreadStack Of(ElfThread thread)
    {
        if (thread is not { InstructionPointer: { } ip, StackPointer: { } sp })
        {
            return ThreadStack.None;
        }

        StackFrame innermost = new(ip, sp, null, null, null, null, FrameTrust.Context, SymbolSource.None);
        if (_walker is not { } walker || _framesLeft <= 0)
        {
            return new ThreadStack([InModule(innermost)], StackEnd.UnwindInfoMissing);
        }

        (ThreadStack walked, ImmutableArray<ulong> lookups) = walker.Walk(thread, Math.Min(_framesLeft, ReadLimits.Default.MaxFrames));
        _framesLeft -= walked.Frames.Length;
        ImmutableArray<StackFrame> frames = [.. walked.Frames.Select(InModule)];
        if (!_runsDotNet)
        {
            _lookups[thread.Index] = lookups;
            bool isAsked = !_hasLibrary && _lockThreads.Contains(thread.Id);
            return walked with { Frames = [.. frames.Select((f, i) => isAsked || LibraryEntry.IsOfLibrary(f.Module) ? Named(f, lookups[i]) : f)] };
        }

        return _lockThreads.Contains(thread.Id) || frames.Any(IsOfProgram) ? walked with { Frames = [.. frames.Select((f, i) => Named(f, lookups[i]))] }
            : new ThreadStack([InModule(innermost)], StackEnd.UnwindInfoMissing);
    }

    /// <summary>Name of the function that an address lies in, as the symbols of its file have it; null where none does.</summary>
    /// <param name="address">The address.</param>
    public string? FunctionAt(ulong address) => _images?.Find(address)?.Symbols.Find(address)?.Name;

    /// <summary>The image that holds an address, or null.</summary>
    /// <param name="address">The address.</param>
    public ElfImage? ImageAt(ulong address) => _images?.Find(address)?.Image;

    /// <summary>A stack with the names of its functions.</summary>
    /// <param name="threadIndex">Index of the thread.</param>
    /// <param name="stack">Its stack.</param>
    public ThreadStack Named(int threadIndex, ThreadStack stack) =>
        _lookups.TryGetValue(threadIndex, out ImmutableArray<ulong> lookups) && lookups.Length == stack.Frames.Length
            ? stack with { Frames = [.. stack.Frames.Select((f, i) => Located(f.Function is null ? Named(f, lookups[i]) : f, lookups[i]))] }
            : stack;

    /// <summary>
    /// A stack with frames that a search of it finds behind those that could be walked; none where all were, or nothing is found. It is for a crash: a search
    /// also finds what has long returned, on which no verdict on a hang may rest.
    /// </summary>
    /// <param name="stack">The stack, whose functions have their names.</param>
    public ThreadStack Searched(ThreadStack stack)
    {
        if (_search is not { } search || stack.Frames is not [.., var last] || stack.End is StackEnd.Complete or StackEnd.Limit)
        {
            return ThreadStack.None;
        }

        StackFrame[] found =
        [
            .. search.From(last.StackPointer, stack.Frames.Length == 1).Select(f => Named(InModule(f), f.InstructionPointer - 1))
                .Select(f => Located(f, f.InstructionPointer - 1)),
        ];
        return found.Length == 0 ? ThreadStack.None : stack with { Frames = [.. stack.Frames, .. found] };
    }

    /// <summary>A stack of a .NET process with the lines of its native frames, which have managed ones between them.</summary>
    /// <param name="stack">Its stack.</param>
    public ThreadStack WithLines(ThreadStack stack) => !stack.Frames.Any(IsNamedHere) ? stack : stack with
    {
        Frames =
        [
            .. stack.Frames.Select(f => IsNamedHere(f)
                ? Located(f, f.Trust == FrameTrust.Context ? f.InstructionPointer : f.InstructionPointer - 1) : f),
        ],
    };

    /// <summary>
    /// Finds the functions of images on the stacks whose symbol table no file here has: once their memory is gone there is nothing to read their names from.
    /// </summary>
    public void ReadWhatFilesLack()
    {
        foreach (ulong lookup in _lookups.Values.SelectMany(l => l).Distinct())
        {
            if (_images?.Find(lookup)?.Image is { SymbolFile: null })
            {
                _ = Function(lookup);
            }
        }
    }

    private static bool IsNamedHere(StackFrame frame) => frame is { Symbol: SymbolSource.SymbolTable, Source: null };

    /// <summary>
    /// The frame with its line, with the program's functions that are inlined there, and whose function it is by the file that the function begins in. Where
    /// nothing says what is inlined, a function of the program may have a line of a library's header: then its beginning is the nearest that is known.
    /// </summary>
    private StackFrame Located(StackFrame frame, ulong lookup)
    {
        if (_images?.Find(lookup) is not { } image)
        {
            return frame;
        }

        LinePlace place = image.PlaceOf(lookup);
        SourceLocation? beginning = frame.FunctionStart is { } start ? image.LineOf(start) : null;
        bool isLibrary = beginning is not null && LibraryCode.IsFile(beginning.File);
        return frame with
        {
            Source = beginning is not null && !isLibrary && place.Source is { } line && LibraryCode.IsFile(line.File)
                ? beginning with { Column = null, IsApproximate = true } : place.Source,
            IsLibrary = isLibrary,
            Inlined = LibraryEntry.IsOfLibrary(frame.Module) ? [] : place.Inlined,
        };
    }

    /// <summary>True for native code that is neither the C library's nor the runtime's: what a .NET program calls on purpose.</summary>
    private bool IsOfProgram(StackFrame frame) =>
        frame.Module is { } module && module != _singleFile && !LibraryEntry.IsOfLibrary(module) && !RuntimeParts.Contains(module);

    private StackFrame InModule(StackFrame frame)
    {
        // By the mapping itself: between the mappings of one file there can be others'.
        if (_files.Find(frame.InstructionPointer) is not { } file || !_modules.TryGetValue(file.Path, out ModuleSnapshot? module))
        {
            return frame;
        }

        return new StackFrame(
            frame.InstructionPointer, frame.StackPointer, module.Name, frame.InstructionPointer - module.BaseAddress, frame.Function, frame.FunctionOffset,
            frame.Trust, frame.Symbol) { FunctionStart = frame.FunctionStart, IsOfSignal = frame.IsOfSignal, Signal = frame.Signal };
    }

    private StackFrame Named(StackFrame frame, ulong lookup)
    {
        (ElfFunction? function, string? name) = Function(lookup);
        if (function is null && frame.IsOfSignal && IsSignalReturn(frame.InstructionPointer))
        {
            return frame with
            {
                Function = _code.SignalReturn, FunctionOffset = 0, FunctionStart = frame.InstructionPointer, Symbol = SymbolSource.Code,
            };
        }

        ulong? start = function?.Address ?? frame.FunctionStart;
        return frame with
        {
            Function = name,
            FunctionOffset = function is null ? null : frame.InstructionPointer - function.Address,
            Symbol = function is null ? SymbolSource.None : SymbolSource.SymbolTable,
            FunctionStart = start,
            EnteredAs = start is { } address && LibraryEntry.IsC(frame.Module) ? EnteredAs(address) : null,
        };
    }

    /// <summary>The function of a place, with its name for people, worked out once.</summary>
    private (ElfFunction? Function, string? Name) Function(ulong lookup)
    {
        if (!_functions.TryGetValue(lookup, out (ElfFunction? Function, string? Name) known))
        {
            ElfFunction? function = _images?.Find(lookup)?.Symbols.Find(lookup);
            known = (function, function is null ? null : MangledNames.Readable(function.Name) ?? function.Name);
            _functions.Add(lookup, known);
        }

        return known;
    }

    private bool IsSignalReturn(ulong address)
    {
        return _images?.Find(address)?.Image is { } image && _code.IsSignalReturn(image, address);
    }

    private string? EnteredAs(ulong start)
    {
        if (_images?.Find(start) is not { } image)
        {
            return null;
        }

        if (!_tailCalls.TryGetValue(image, out IReadOnlyDictionary<ulong, string>? targets))
        {
            targets = TailCalls.Of(image);
            _tailCalls.Add(image, targets);
        }

        return targets.GetValueOrDefault(start);
    }
}

/// <summary>
/// Searches a native stack for return addresses, where unwind information is missing: most cores come from elsewhere, and the files of their libraries are not
/// here. What it finds may be stale, is marked as such, and is shown for a crash alone.
/// </summary>
/// <param name="memory">Memory of the process.</param>
/// <param name="images">What is loaded into it.</param>
/// <param name="segments">Its mappings by address, with what may be executed.</param>
/// <param name="code">How its code is read.</param>
internal sealed class StackScan(IMemory memory, ElfImages images, ReadOnlyMemory<ElfSegment> segments, MachineCode code)
{
    // A function of a library seldom has a larger frame; more frames than these say no more, as each may be wrong.
    private const int MostWords = 4_096;
    private const int MostFrames = 32;
    private const int LongestCall = 7;

    /// <summary>The frames that a search of the stack finds, the innermost first; not yet in modules and without names.</summary>
    /// <param name="from">Where it begins: the stack pointer of the last frame that is known.</param>
    /// <param name="isStart">True where that frame is the innermost, on whose stack pointer its return address may lie.</param>
    public List<StackFrame> From(ulong from, bool isStart)
    {
        List<StackFrame> frames = [];
        ulong place = (from + (sizeof(ulong) - 1)) & ~(ulong)(sizeof(ulong) - 1);
        for (int i = isStart ? 0 : 1; i < MostWords && frames.Count < MostFrames; i++)
        {
            ulong at = unchecked(place + ((ulong)i * sizeof(ulong)));
            if (at < from || memory.ReadUInt64(at) is not { } word)
            {
                break;
            }

            if (IsReturnAddress(word))
            {
                frames.Add(new StackFrame(word, at + sizeof(ulong), null, null, null, null, FrameTrust.Scan, SymbolSource.None));
            }
        }

        return frames;
    }

    /// <summary>True where code may stand that a call comes before; where that code is not readable here, its place is all there is.</summary>
    private bool IsReturnAddress(ulong address)
    {
        if (address < LongestCall || !IsExecutable(address - 1))
        {
            return false;
        }

        return code.IsReturnAddress(memory, address)
            ?? (images.Find(address - 1) is not { } image || code.IsReturnAddress(image.Image, address) != false);
    }

    private bool IsExecutable(ulong address)
    {
        int last = SortedSearch.CountUpTo(segments.Span, address, s => s.Address) - 1;
        return last >= 0 && segments.Span[last] is { IsExecutable: true } segment && address - segment.Address < segment.MemorySize;
    }
}

/// <summary>The native files of .NET on Linux, as they lie in its shared framework and beside programs (.NET 6 to 10), and the system's below them.</summary>
internal static class RuntimeParts
{
    private static readonly FrozenSet<string> s_files = FrozenSet.Create(
        StringComparer.Ordinal, "dotnet", "apphost", ClrLibrary.Name, "libclrjit.so", "libclrgc.so", "libclrgcexp.so", "libcoreclrtraceptprovider.so",
        "libhostfxr.so", "libhostpolicy.so", "libmscordaccore.so", "libmscordbi.so", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1", SystemLibrary.Name,
        "libm.so.6", "libdl.so.2", "librt.so.1", "libgcc_s.so.1");

    /// <summary>True for one of them.</summary>
    /// <param name="file">Name of the file, without its directory.</param>
    public static bool Contains(string file) => s_files.Contains(file)
        || (file.StartsWith("libSystem.", StringComparison.Ordinal) && file.EndsWith(".Native.so", StringComparison.Ordinal));
}

/// <summary>
/// Functions of the C library that end in a jump to a part without a name, so that they leave no frame: the part's beginning tells by which it was entered.
/// Seen in <c>sem_wait</c>, <c>pthread_once</c> and <c>pthread_mutex_lock</c> of glibc 2.36.
/// </summary>
internal static class TailCalls
{
    private const int LongestFunction = 1_024;
    // Several lead to one part, whose name only debug files have (time/localtime.c, time/gmtime.c, stdlib/setenv.c).
    private static readonly Dictionary<string, string> s_parts = new()
    {
        ["localtime"] = "__tz_convert", ["localtime_r"] = "__tz_convert", ["gmtime"] = "__tz_convert", ["gmtime_r"] = "__tz_convert",
        ["setenv"] = "__add_to_environ", ["putenv"] = "__add_to_environ",
    };

    private static readonly string[] s_names =
    [
        "sem_wait", "sem_timedwait", "sem_clockwait", "pthread_once", "pthread_mutex_lock", "pthread_mutex_timedlock", "pthread_mutex_clocklock", "pthread_join",
        "pthread_timedjoin_np", "pthread_clockjoin_np", .. s_parts.Keys,
    ];

    /// <summary>Where those of an image jump to; a place that several lead to has the first one's name where they wait for the same, else none.</summary>
    public static IReadOnlyDictionary<ulong, string> Of(LoadedImage loaded)
    {
        Dictionary<ulong, string> targets = [];
        MachineCode machine = MachineCode.Of(loaded.Image.Machine ?? LinuxMachine.X64);
        foreach (ElfFunction function in loaded.Symbols.Named(s_names).OrderBy(f => Array.IndexOf(s_names, f.Name)))
        {
            byte[] code = new byte[(int)Math.Min(function.Size, LongestFunction)];
            if (!loaded.Image.TryRead(function.Address, code))
            {
                continue;
            }

            foreach (ulong target in machine.Jumps(function.Address, code).Where(t => t < function.Address || t >= function.Address + function.Size))
            {
                targets.TryAdd(target, s_parts.GetValueOrDefault(function.Name, function.Name));
            }
        }

        return targets;
    }
}
