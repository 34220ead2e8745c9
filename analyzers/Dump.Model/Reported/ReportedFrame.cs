using System.Collections.Immutable;
using System.Text.Json.Serialization;
using Dump.Model.Facts;
using Dump.Model.Process;

namespace Dump.Model.Reported;

/// <summary>One frame of a reported stack.</summary>
/// <param name="Index">Place in the thread's stack; 0 is the innermost.</param>
/// <param name="Module">Module file name, or null when the address is in none.</param>
/// <param name="Function">Function, or null when unknown.</param>
/// <param name="FunctionOffset">Distance in bytes from the function's first instruction, or null.</param>
/// <param name="ModuleOffset">Distance in bytes from the module's base, or null.</param>
/// <param name="Trust">How the frame was found.</param>
public sealed record ReportedFrame(
    [property: JsonPropertyOrder(0), JsonRequired] int Index,
    [property: JsonPropertyOrder(3)] string? Module,
    [property: JsonPropertyOrder(5)] string? Function,
    [property: JsonPropertyOrder(6)] ulong? FunctionOffset,
    [property: JsonPropertyOrder(4)] ulong? ModuleOffset,
    [property: JsonPropertyOrder(7)] FrameTrust Trust)
{
    /// <summary>Address of the next instruction: the saved one in the innermost frame, a return address in the others.</summary>
    [JsonPropertyOrder(1)]
    public ulong InstructionPointer { get; init; }

    /// <summary>The stack pointer in this frame.</summary>
    [JsonPropertyOrder(2)]
    public ulong StackPointer { get; init; }

    /// <summary>Where the function's name comes from.</summary>
    [JsonPropertyOrder(8)]
    public SymbolSource Symbol { get; init; }

    /// <summary>The export that the caller's code called, where the function itself has no name; else absent.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull), JsonPropertyOrder(9)]
    public string? EnteredAs { get; init; }

    /// <summary>
    /// True for the frame that the kernel of Linux makes for a handler of signals: the frames before it are the handler's, and the ones behind it what it
    /// interrupted. Absent otherwise.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault), JsonPropertyName("signalHandler"), JsonPropertyOrder(14)]
    public bool IsOfSignal { get; init; }

    /// <summary>Number of the signal of such a frame; absent for every other frame, and for a handler that did not ask for it (no SA_SIGINFO).</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull), JsonPropertyOrder(15)]
    public int? Signal { get; init; }

    /// <summary>The stack tag of the frame; absent when none fits or no tag file was asked for.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull), JsonPropertyOrder(10)]
    public string? Tag { get; init; }

    /// <summary>Where in the source code the thread stands in this frame; absent when unknown.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull), JsonPropertyOrder(11)]
    public SourceLocation? Source { get; init; }

    /// <summary>True for a function of a library's that is compiled into the program, by the source file that it is in. Absent otherwise.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault), JsonPropertyName("library"), JsonPropertyOrder(12)]
    public bool IsLibrary { get; init; }

    /// <summary>
    /// True for the method of a delegate that the runtime has compiled into the frame behind, which calls it: it has no frame of its own, and the task that
    /// the thread
    /// runs names it. Absent otherwise.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault), JsonPropertyName("inlinedDelegate"), JsonPropertyOrder(16)]
    public bool IsInlined { get; init; }

    /// <summary>The program's functions that are inlined into this one where the thread stands, innermost first. Absent where there are none.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault), JsonPropertyOrder(13)]
    public ImmutableArray<InlinedCall> Inlined { get; init => field = value.OrEmpty(); } = [];
}
