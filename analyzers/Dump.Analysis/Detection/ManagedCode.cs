using Dump.Model.Process;

namespace Dump.Analysis.Detection;

/// <summary>What threads do in .NET code.</summary>
internal static class ManagedCode
{
    /// <summary>True while a thread executes code: it may have anything in a register, and release or set it next.</summary>
    public static bool Runs(ProcessSnapshot snapshot) => Running(snapshot).Any();

    /// <summary>
    /// True while a thread executes one of these methods, or what they call. A busy server always has threads that execute something; few of them are there.
    /// </summary>
    /// <param name="snapshot">The process.</param>
    /// <param name="methods">The methods by name, without type arguments of their own.</param>
    public static bool Runs(ProcessSnapshot snapshot, IReadOnlySet<string> methods) =>
        Running(snapshot).Any(t => t.Stack.Frames.Any(f => f.Function is { } function && methods.Contains(WithoutTypeArguments(function))));

    private static IEnumerable<ThreadSnapshot> Running(ProcessSnapshot snapshot) =>
        snapshot.Threads.Where(t => t.ManagedId is not null && t.Activity.Kind == ThreadActivityKind.Running);

    // The runtime writes them behind a method's name: Store.ReadAsync[[System.__Canon, System.Private.CoreLib]].
    private static string WithoutTypeArguments(string function) =>
        function.IndexOf("[[", StringComparison.Ordinal) is > 0 and var end ? function[..end] : function;
}
