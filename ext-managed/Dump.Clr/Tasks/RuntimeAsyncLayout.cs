namespace Dump.Clr.Tasks;

/// <summary>
/// Async methods that the runtime itself suspends (runtime async, .NET 11): no state machine, but an object for each suspended call, linked to that of its
/// caller (dotnet/runtime, src/coreclr/System.Private.CoreLib/src/System/Runtime/CompilerServices/AsyncHelpers.CoreCLR.cs at the tag v11.0.0; read so in
/// processes of 11.0.0). The types of these objects are made for each call site and have no fields of their own by name.
/// </summary>
internal static class RuntimeAsyncLayout
{
    /// <summary>How the type of a task of such a method begins, to be followed by the type of its result.</summary>
    public const string Task = "System.Runtime.CompilerServices.AsyncHelpers+RuntimeAsyncTask<";

    /// <summary>The object between a task and the method that awaits it, the first of the list.</summary>
    public const string TaskContinuation = "System.Runtime.CompilerServices.RuntimeAsyncTaskContinuation";

    /// <summary>A suspended call: the object of its caller, from the beginning of the object.</summary>
    public const int Next = 8;

    /// <summary>Where it goes on: an address outside of the heap.</summary>
    public const int ResumeInfo = 16;

    /// <summary>How it goes on, 4 bytes.</summary>
    public const int Flags = 24;

    /// <summary>Flag: in the synchronization context that the object refers to (ContinuationFlags.ContinueOnCapturedSynchronizationContext).</summary>
    public const int InContext = 2;

    /// <summary>Number of the await, 4 bytes.</summary>
    public const int State = 28;

    /// <summary>Bytes of the object that are read.</summary>
    public const int Size = 32;

    /// <summary>There: the address of the await in the method's machine code; 0 for the runtime's own helpers.</summary>
    public const int DiagnosticAddress = 8;

    /// <summary>Longest list of calls that is followed.</summary>
    public const int MostCalls = 1_024;
}
