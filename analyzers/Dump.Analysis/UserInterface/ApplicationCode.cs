using System.Collections.Frozen;
using System.Collections.Immutable;
using Dump.Analysis.Knowledge;
using Dump.Analysis.Rules;
using Dump.Model;
using Dump.Model.Process;
using Dump.Model.Wording;

namespace Dump.Analysis.UserInterface;

/// <summary>Tells the program's own code from that of Windows, runtimes and user-interface frameworks.</summary>
internal sealed class ApplicationCode
{
    /// <summary>What .NET makes between a method and the native function that it calls; it stands in the program's module.</summary>
    private const string NativeCallStub = "(dynamicClass).IL_STUB_PInvoke";

    /// <summary>
    /// The library by which a program's executable starts .NET (dotnet/runtime, docs/design/features/host-components.md). What calls it is the same in every
    /// program, although its module has the program's name.
    /// </summary>
    private static readonly FrozenSet<string> s_hosts = FrozenSet.ToFrozenSet(["hostfxr", "libhostfxr"], StringComparer.OrdinalIgnoreCase);

    private readonly FrozenSet<string> _system;
    private readonly FrozenSet<string> _packages;
    private readonly KnownModules _injected;

    /// <summary>Of one snapshot.</summary>
    /// <param name="snapshot">The snapshot.</param>
    /// <param name="injected">Libraries that are not the system's although some of them are installed in its directories.</param>
    public ApplicationCode(ProcessSnapshot snapshot, KnownModules injected)
    {
        _injected = injected;
        _packages = snapshot.ManagedModules.Where(m => m.Path is not null).Select(m => (Name: m.FileName!, Path: m.Path!, m.IsPackage))
            .Concat(snapshot.Modules.Select(m => (m.Name, m.Path, m.IsPackage)))
            .GroupBy(m => m.Name, StringComparer.OrdinalIgnoreCase)
            .Where(g => g.All(m => m.IsPackage ?? LibraryCode.IsOfPackages(m.Path))).Select(g => g.Key).ToFrozenSet(StringComparer.OrdinalIgnoreCase);
        _system = snapshot.Modules.Where(m => m.IsSystem == true).Select(m => m.Name).ToFrozenSet(StringComparer.OrdinalIgnoreCase);
    }

    /// <summary>
    /// True for a frame in a module that is none of these; a library loaded from outside counts as the
    /// program's own. A frame outside of all modules belongs to nobody.
    /// </summary>
    public bool Contains(StackFrame frame) =>
        frame is { Module: { } module, ModuleStem: { } stem } && !FrameworkModules.IsChromiumLoop(frame.Function) && frame.Function != NativeCallStub
            && (_injected.Find(module) is not null || (!_system.Contains(module) && !FrameworkModules.Contains(stem)));

    /// <summary>
    /// Index of the innermost frame of the program's own; null where there is none, or what lies above it was found by searching the stack. What the standard
    /// library has put into the program counts only where there is nothing else; the executable that has started .NET never does.
    /// </summary>
    /// <param name="frames">The frames of a thread.</param>
    /// <param name="from">Index of the first frame that counts.</param>
    public int? Innermost(ImmutableArray<StackFrame> frames, int from = 0) =>
        Innermost(frames, from, f => Contains(f) && !LibraryCode.Contains(f)) ?? Innermost(frames, from, Contains);

    /// <summary>
    /// Index of the frame whose code is to be read first: the innermost one of the program's own projects, else the innermost of the program. Whose a package is,
    /// is known of .NET.
    /// </summary>
    /// <param name="frames">The frames of a thread.</param>
    public int? ToRead(ImmutableArray<StackFrame> frames) =>
        Innermost(frames, 0, f => Contains(f) && !LibraryCode.Contains(f) && !IsOfPackage(f.Module)) ?? Innermost(frames);

    /// <summary>True for an assembly that is neither a framework's nor of a package.</summary>
    /// <param name="module">File name of the module.</param>
    public bool IsOfProject(string module) =>
        !_system.Contains(module) && !FrameworkModules.Contains(FrameWords.Stem(module)) && !IsOfPackage(module);

    /// <summary>True for an assembly or a native library that comes from a package.</summary>
    /// <param name="module">File name of the module.</param>
    public bool IsOfPackage(string? module) => module is not null && _packages.Contains(module);

    private static bool IsHost(StackFrame frame) => frame.ModuleStem is { } stem && s_hosts.Contains(stem);

    private static int? Innermost(ImmutableArray<StackFrame> frames, int from, Func<StackFrame, bool> isOwn)
    {
        int index = from;
        while (index < frames.Length && frames[index].Trust > FrameTrust.Scan && !IsHost(frames[index]) && !isOwn(frames[index]))
        {
            index++;
        }

        return index < frames.Length && frames[index].Trust > FrameTrust.Scan && !IsHost(frames[index]) ? index : null;
    }
}
