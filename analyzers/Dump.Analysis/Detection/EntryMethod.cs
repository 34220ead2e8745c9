using Dump.Analysis.Graph;
using Dump.Analysis.Names;
using Dump.Model.Process;
using Dump.Model.Waits;

namespace Dump.Analysis.Detection;

/// <summary>
/// The first thread of a .NET program whose <c>Main</c> waits for its tasks. <c>await Task.WhenAll(workers)</c> there is the life of the program, as
/// joining the workers' threads is: it says nothing of whether they get on.
/// </summary>
internal static class EntryMethod
{
    /// <summary>What calls <c>Main</c> on .NET 11 (dotnet/runtime, src/libraries/System.Private.CoreLib/src/System/Environment.CoreCLR.cs).</summary>
    private const string Caller = "System.Environment.CallEntryPoint";

    /// <summary>True where a task is awaited by <c>Main</c> itself, on behalf of no other function of the program, and nobody waits for that thread.</summary>
    /// <param name="context">The facts.</param>
    /// <param name="edge">A wait for a task, and the thread that runs it.</param>
    public static bool Awaits(AnalysisContext context, WaitEdge edge) =>
        edge.Resource.Kind == ResourceKind.ManagedTask
        && context.Thread(edge.Waiter) is { } thread && IsIn(context, thread) && !context.Graph.To(thread.Id).Any(e => e.Waiter != thread.Id);

    /// <summary>True where a thread is the first of its program, at whatever depth: the outermost .NET method is <c>Main</c>.</summary>
    /// <param name="thread">The thread.</param>
    public static bool IsUnder(ThreadSnapshot thread) =>
        thread.ManagedId is not null && thread.Stack.Frames.LastOrDefault(f => f.Symbol == SymbolSource.Metadata && f.Function != Caller) is { } outermost
        && IsMain(outermost);

    /// <summary>True where a thread stands in <c>Main</c> itself, and in no other function of the program.</summary>
    /// <param name="context">The facts.</param>
    /// <param name="thread">The thread.</param>
    public static bool IsInItself(AnalysisContext context, ThreadSnapshot thread) => IsIn(context, thread);

    /// <summary>The only frame of the program's own is that of <c>Main</c>, or of the <c>&lt;Main&gt;</c> that the compiler makes for an asynchronous one.</summary>
    private static bool IsIn(AnalysisContext context, ThreadSnapshot thread) =>
        thread.ManagedId is not null && context.Application.Innermost(thread.Stack.Frames) is { } index
        && thread.Stack.Frames.Skip(index + 1).All(f => !context.Application.Contains(f) || f.Symbol != SymbolSource.Metadata)
        && IsMain(thread.Stack.Frames[index]);

    private static bool IsMain(StackFrame frame) =>
        frame is { Symbol: SymbolSource.Metadata, Function: { } function } && FunctionNames.Normal(function) is { } name && IsNamed(name);

    /// <summary>True for the name of <c>Main</c>, with its type or without.</summary>
    /// <param name="method">The method's normal name.</param>
    public static bool IsNamed(string method) => method == "Main" || method.EndsWith(".Main", StringComparison.Ordinal);
}
