using Dump.Analysis.Names;
using Dump.Model.Process;

namespace Dump.Analysis.Detection;

/// <summary>Threads that take items from a <c>BlockingCollection</c>, the class library's queue of work for threads (.NET 8, 9 and 10).</summary>
internal static class WorkQueues
{
    private const string Module = "system.collections.concurrent";
    private const string Collection = "System.Collections.Concurrent.BlockingCollection";

    private static readonly string[] s_takes = ["Take", "TryTake", "TryTakeWithNoTimeValidation", "GetConsumingEnumerable"];

    /// <summary>True where the function of the program that waits does so by taking the next item: idle as long as there is none.</summary>
    /// <param name="thread">The thread that waits.</param>
    /// <param name="ownIndex">Index of its innermost frame of the program's own.</param>
    public static bool IsTaking(ThreadSnapshot thread, int ownIndex) => thread.Stack.Frames.Take(ownIndex).Any(IsTake);

    private static bool IsTake(StackFrame frame) =>
        frame is { Symbol: SymbolSource.Metadata, ModuleStem: Module, Function: { } function } && FunctionNames.Normal(function) is { } name
            && s_takes.Any(m => name == $"{Collection}.{m}");
}
