using System.Collections.Frozen;
using Dump.Model.Process;

namespace Dump.Analysis.Knowledge;

/// <summary>
/// The methods of .NET's <c>SpinWait</c>, with which programs poll for a condition (dotnet/runtime,
/// src/libraries/System.Private.CoreLib/src/System/Threading/SpinWait.cs).
/// </summary>
internal static class SpinWaitFunctions
{
    private const string Library = "system.private.corelib";
    private const int InnermostFrames = 8;

    private static readonly FrozenSet<string> s_names = FrozenSet.Create(
        StringComparer.Ordinal, "System.Threading.SpinWait.SpinOnce", "System.Threading.SpinWait.SpinOnceCore", "System.Threading.SpinWait.SpinUntil");

    /// <summary>True when the innermost frames of the stack are a poll.</summary>
    public static bool StandOn(ThreadStack stack) =>
        stack.Frames.Take(InnermostFrames).Any(f => f.ModuleStem == Library && f.Function is { } name && s_names.Contains(name));
}
