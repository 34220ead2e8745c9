using System.Collections.Immutable;
using Dump.Model.Process;
using Dump.Readers.Elf;
using Dump.Readers.ElfCore;

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
    private readonly IReadOnlyList<ElfMappedFile> _files;
    private readonly ImmutableArray<ModuleSnapshot> _modules;
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
        (_files, _modules) = (files, modules);
        if (memory is not null && AreWalked(architecture, modules))
        {
            _images = new ElfImages(memory, files, reachable);
            _walker = new LinuxStackWalker(memory, _images);
        }
    }

    /// <summary>True for a process whose native stacks are walked and named here.</summary>
    /// <param name="architecture">Architecture of its code.</param>
    /// <param name="modules">Its modules.</param>
    public static bool AreWalked(ProcessorArchitecture architecture, ImmutableArray<ModuleSnapshot> modules) =>
        architecture == ProcessorArchitecture.X64 && !modules.Any(m => m.Name == RuntimeName);

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

    private StackFrame InModule(StackFrame frame)
    {
        // By the mapping itself: between the mappings of one file there can be others'.
        string? file = _files.FirstOrDefault(f => frame.InstructionPointer >= f.Start && frame.InstructionPointer < f.End)?.Path;
        ModuleSnapshot? module = file is null ? null : _modules.FirstOrDefault(m => m.Path == file);
        return module is null ? frame
            : new StackFrame(
                frame.InstructionPointer, frame.StackPointer, module.Name, frame.InstructionPointer - module.BaseAddress, frame.Function, frame.FunctionOffset,
                frame.Trust, frame.Symbol) { FunctionStart = frame.FunctionStart };
    }
}
