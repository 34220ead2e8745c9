using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Frames;

/// <summary>A frame as the runtime walks it: a managed method, or a marker of the runtime itself.</summary>
/// <param name="StackPointer">Stack pointer.</param>
/// <param name="InstructionPointer">Instruction pointer.</param>
/// <param name="Described">The method with its names, or null for a marker without one.</param>
/// <param name="IsMarker">True for a marker of the runtime, which is no frame of code.</param>
internal sealed record ManagedFrame(ulong StackPointer, ulong InstructionPointer, FrameMethod? Described, bool IsMarker)
{
    /// <summary>Name of the marker where a method calls native code.</summary>
    public const string NativeCallMarker = "InlinedCallFrame";

    /// <summary>Name of the marker where the runtime entered managed code.</summary>
    public const string EntryMarker = "DebuggerU2MCatchHandlerFrame";

    /// <summary>Name of a marker (coreclr's frames.h), or null.</summary>
    public string? MarkerName { get; init; }

    /// <summary>True for the marker at the place where the runtime entered managed code: it stays on the stack of a thread that is in none.</summary>
    public bool IsEntryMarker => MarkerName == EntryMarker;

    /// <summary>True for the marker that stands where a managed method has thrown an exception which is still being handled.</summary>
    public bool IsExceptionMarker => MarkerName is "SoftwareExceptionFrame" or "FaultingExceptionFrame";

    /// <summary>True for the marker behind which a method stands at the very instruction that has failed.</summary>
    public bool IsFaultMarker => MarkerName == "FaultingExceptionFrame";

    /// <summary>True for a marker that a managed method sets where it leaves managed code or throws: that method must come behind it.</summary>
    public bool IsExitMarker => IsExceptionMarker || MarkerName == NativeCallMarker;

    /// <summary>
    /// True for the code that the runtime makes between a method and the native function which it calls (seen in .NET 10 where code that was compiled ahead of
    /// time waits): like a marker it stands for nothing that the program or the class library has written.
    /// </summary>
    public bool IsNativeCallStub => MethodName == "IL_STUB_PInvoke" && (TypeName is null or "(dynamicClass)");

    /// <summary>The method, or null for a marker without one.</summary>
    public ClrMethod? Method => Described?.Method;

    /// <summary>Full name of the method's type, or null.</summary>
    public string? TypeName => Described?.TypeName;

    /// <summary>Name of the method, or null.</summary>
    public string? MethodName => Described?.Name;

    /// <summary>File name of the method's module without directory, or null.</summary>
    public string? ModuleName => Described?.ModuleName;

    /// <summary>True for the module that holds <c>System.Object</c>: the class library whose waits are known.</summary>
    public bool IsCoreLibrary => Described?.IsOfCoreLibrary == true;

    /// <summary>File name of a module without directory, or null when it has no file.</summary>
    public static string? FileName(ClrModule module) => module.Name is { } path ? path[(path.LastIndexOfAny(['/', '\\']) + 1)..] : null;
}
