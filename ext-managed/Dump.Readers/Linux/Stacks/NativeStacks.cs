using System.Collections.Immutable;
using Dump.Model.Process;
using Dump.Readers.Elf;
using Dump.Readers.ElfCore;
using Dump.Readers.Linux.Waits;

namespace Dump.Readers.Linux.Stacks;

/// <summary>
/// The native stacks of a Linux process. Those of a .NET process are its innermost frames only: code that the runtime compiles has no call-frame information,
/// and the managed half walks the rest.
/// </summary>
internal sealed class NativeStacks : IDisposable
{
    private const string RuntimeName = "libcoreclr.so";

    // Of all threads together: what one frame costs is limited too, so that a hostile core costs seconds.
    private const int MostFrames = 200_000;
    private readonly ElfMappedFile[] _files;
    private readonly Dictionary<string, ModuleSnapshot> _modules;
    private readonly Dictionary<LoadedImage, IReadOnlyDictionary<ulong, string>> _tailCalls = [];
    private readonly ElfImages? _images;
    private readonly LinuxStackWalker? _walker;
    private int _framesLeft = MostFrames;

    /// <summary>Prepares the walks.</summary>
    /// <param name="architecture">Architecture of its code.</param>
    /// <param name="files">Its mapped files.</param>
    /// <param name="memory">Its memory; null for none, so that stacks are their innermost frames.</param>
    /// <param name="reachable">Where a file that the process names is found here; null when it has the same files.</param>
    /// <param name="modules">Its modules.</param>
    public NativeStacks(
        ProcessorArchitecture architecture, IReadOnlyList<ElfMappedFile> files, IMemory? memory, Func<string, string>? reachable,
        ImmutableArray<ModuleSnapshot> modules)
    {
        _files = [.. files.OrderBy(f => f.Start)];
        _modules = modules.DistinctBy(m => m.Path).ToDictionary(m => m.Path, StringComparer.Ordinal);
        if (memory is not null && AreWalked(architecture, modules))
        {
            _images = new ElfImages(memory, files, reachable);

            // A program in a single file has the runtime inside, whose managed half walks it.
            _walker = _files.Any(f => f.FileOffset == 0 && HoldsRuntime(_images, f)) ? null : new LinuxStackWalker(memory, _images);
        }
    }

    /// <summary>True for a process whose native stacks are walked and named here.</summary>
    /// <param name="architecture">Architecture of its code.</param>
    /// <param name="modules">Its modules.</param>
    public static bool AreWalked(ProcessorArchitecture architecture, ImmutableArray<ModuleSnapshot> modules) =>
        architecture == ProcessorArchitecture.X64 && !modules.Any(m => m.Name == RuntimeName);

    /// <summary>True when its stacks are walked, and are not their innermost frames only.</summary>
    public bool AreWhole => _walker is not null;

    /// <summary>The stack of a thread.</summary>
    public ThreadStack Of(ElfThread thread)
    {
        if (thread is not { InstructionPointer: { } ip, StackPointer: { } sp })
        {
            return ThreadStack.None;
        }

        ThreadStack walked = _framesLeft > 0 && _walker is { } walker ? walker.Walk(thread, Math.Min(_framesLeft, ReadLimits.Default.MaxFrames))
            : new ThreadStack([new StackFrame(ip, sp, null, null, null, null, FrameTrust.Context, SymbolSource.None)], StackEnd.UnwindInfoMissing);
        _framesLeft -= walked.Frames.Length;
        return walked with { Frames = [.. walked.Frames.Select(InModule)] };
    }

    /// <inheritdoc/>
    public void Dispose() => _images?.Dispose();

    private static bool HoldsRuntime(ElfImages images, ElfMappedFile file) =>
        images.Find(file.Start) is { } image && ElfDynamicTables.Read(image.Image)?.Export(SingleFileRuntimeLayout.Name) == true;

    private StackFrame InModule(StackFrame frame)
    {
        // By the mapping itself: between the mappings of one file there can be others'.
        if (FileOf(frame.InstructionPointer) is not { } file || !_modules.TryGetValue(file.Path, out ModuleSnapshot? module))
        {
            return frame;
        }

        return new StackFrame(
            frame.InstructionPointer, frame.StackPointer, module.Name, frame.InstructionPointer - module.BaseAddress, frame.Function, frame.FunctionOffset,
            frame.Trust, frame.Symbol)
        {
            FunctionStart = frame.FunctionStart,
            EnteredAs = frame is { FunctionStart: { } start } && LibraryEntry.IsC(module.Name) ? EnteredAs(start) : null,
        };
    }

    private ElfMappedFile? FileOf(ulong address)
    {
        int low = 0, high = _files.Length - 1;
        while (low <= high)
        {
            int middle = low + (high - low) / 2;
            if (address < _files[middle].Start)
            {
                high = middle - 1;
            }
            else if (address >= _files[middle].End)
            {
                low = middle + 1;
            }
            else
            {
                return _files[middle];
            }
        }

        return null;
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
