using System.Collections.Immutable;
using System.Text.Json.Serialization;
using Dump.Model.Facts;
using Dump.Model.Managed;

namespace Dump.Model.Process;

/// <summary>One frame of a thread's stack, innermost first in a stack.</summary>
/// <param name="InstructionPointer">Address of the next instruction: the saved one in the innermost frame, a return address in the others.</param>
/// <param name="StackPointer">The stack pointer in this frame.</param>
/// <param name="Module">File name of the module without directory, as the dump spells it, for example
/// <c>ntdll.dll</c>; null when the address lies in no module.</param>
/// <param name="ModuleOffset">Offset of the instruction pointer from the module's base, or null when the address lies in no module.</param>
/// <param name="Function">Name of the function that contains the address, or null when unknown. Never the nearest lower export.</param>
/// <param name="FunctionOffset">Offset of the instruction pointer from the function's beginning, or null when there is no function name.</param>
/// <param name="Trust">How the frame was found.</param>
/// <param name="Symbol">Where the name comes from.</param>
public sealed record StackFrame(
    ulong InstructionPointer,
    ulong StackPointer,
    string? Module,
    ulong? ModuleOffset,
    string? Function,
    ulong? FunctionOffset,
    FrameTrust Trust,
    SymbolSource Symbol)
{
    /// <summary>
    /// Address where the containing function begins by its unwind information or symbol, or null when unknown. Known more often than the name.
    /// </summary>
    public ulong? FunctionStart { get; init; }

    /// <summary>
    /// The function by which the frame's module was entered, where the frame is that of another one and the caller's call instruction leads exactly to
    /// that function's beginning; else null. A function that ends in a jump leaves no frame of its own.
    /// </summary>
    public string? EnteredAs { get; init; }

    /// <summary>
    /// True for the frame that the kernel of Linux makes for a handler of signals: the frames before it are the handler's, and the ones behind it what it
    /// interrupted.
    /// </summary>
    public bool IsOfSignal { get; init; }

    /// <summary>Number of the signal of such a frame; null for every other frame, and for a handler that did not ask for it (no SA_SIGINFO).</summary>
    public int? Signal { get; init; }

    /// <summary>Where in the intermediate language of a managed method it stands; null for native code, and where the runtime does not tell.</summary>
    public MethodPlace? Code { get; init; }

    /// <summary>
    /// Where in the source code the thread stands in this frame, of a caller where its call stands; null when unknown. It follows from the address: no frame is
    /// told from another by it.
    /// </summary>
    public SourceLocation? Source { get; init; }

    /// <summary>
    /// True for a function of a library's that is compiled into the program, by the source file that it is in. Where it is false, the name
    /// may still say so (<see cref="LibraryCode"/>).
    /// </summary>
    public bool IsLibrary { get; init; }

    /// <summary>
    /// The program's functions that are inlined into this one where the thread stands, innermost first; empty where there are none, and where that is unknown.
    /// </summary>
    public ImmutableArray<InlinedCall> Inlined { get; init; } = [];

    /// <summary>
    /// True for the method of a delegate that the runtime has compiled into the frame behind, which calls it: it has no frame of its own, and the task that
    /// the thread
    /// runs names it. Its addresses are that frame's, and its line is its first one.
    /// </summary>
    public bool IsInlined { get; init; }

    /// <summary>The frame's stack tag, or null when none fits or no tag file was asked for.</summary>
    public string? Tag { get; init; }

    /// <summary>The function that was called: the frame's own, or the one by which its module was entered; null when neither is known.</summary>
    public string? Called => Function ?? EnteredAs;

    /// <summary>The module's name without extension, in lower case, or null. This is what frames are matched by.</summary>
    public string? ModuleStem { get; } = Module is null ? null : Stem(Module);

    /// <summary>
    /// True when the frame is exactly the given function of the given module. Module names are compared by stem and without case, function names with case.
    /// </summary>
    /// <param name="moduleStem">Lower-case module name without extension, for example <c>ntdll</c>.</param>
    /// <param name="function">Exact function name.</param>
    public bool Is(string moduleStem, string function) =>
        Function is not null && ModuleStem == moduleStem && string.Equals(Function, function, StringComparison.Ordinal);

    private static string Stem(string module)
    {
        int dot = module.LastIndexOf('.');
        return (dot > 0 ? module[..dot] : module).ToLowerInvariant();
    }
}

/// <summary>How a stack frame was found. Ordered: a larger value is more trustworthy.</summary>
public enum FrameTrust
{
    /// <summary>
    /// A value on the stack that looks like a return address (a call instruction precedes it), the value on top of the stack where the function's unwind
    /// information is missing, or an address of which nothing readable says that it is code. May be stale.
    /// </summary>
    Scan = 0,

    /// <summary>Found by following a chain of saved frame pointers.</summary>
    FramePointer = 1,

    /// <summary>
    /// Found by following the function's instructions to its return, where the architecture has no unwind
    /// information (32-bit x86); a call stands before the address found.
    /// </summary>
    Instructions = 2,

    /// <summary>Found by the function's unwind information, from a trusted caller chain.</summary>
    UnwindInfo = 3,

    /// <summary>The thread's saved registers.</summary>
    Context = 4,
}

/// <summary>A function of the program that the compiler has put into the one whose frame it is, and that the thread is in there.</summary>
/// <param name="Function">Its name.</param>
/// <param name="Source">Where in it the thread stands, or where its call of the next one is; null when unknown.</param>
public sealed record InlinedCall(
    [property: JsonRequired] string Function,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] SourceLocation? Source);
