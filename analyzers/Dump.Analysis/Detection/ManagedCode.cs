using Dump.Model.Process;

namespace Dump.Analysis.Detection;

/// <summary>What threads do in .NET code.</summary>
internal static class ManagedCode
{
    /// <summary>True while a thread executes code: it may have anything in a register, and release or set it next.</summary>
    public static bool Runs(ProcessSnapshot snapshot) => snapshot.Threads.Any(t => t.ManagedId is not null && t.Activity.Kind == ThreadActivityKind.Running);
}
