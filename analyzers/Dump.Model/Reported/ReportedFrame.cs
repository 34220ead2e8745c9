using Dump.Model.Process;

namespace Dump.Model.Reported;

/// <summary>One frame of a reported stack.</summary>
/// <param name="Index">Place in the thread's stack; 0 is the innermost.</param>
/// <param name="Module">Module file name, or null when the address is in none.</param>
/// <param name="Function">Function, or null when unknown.</param>
/// <param name="FunctionOffset">Distance in bytes from the function's first instruction, or null.</param>
/// <param name="ModuleOffset">Distance in bytes from the module's base, or null.</param>
/// <param name="Trust">How the frame was found.</param>
public sealed record ReportedFrame(int Index, string? Module, string? Function, ulong? FunctionOffset, ulong? ModuleOffset, FrameTrust Trust)
{
    /// <summary>The export that the caller's code called, where the function itself has no name; else null.</summary>
    public string? EnteredAs { get; init; }

    /// <summary>The stack tag of the frame, or null when none fits or no tag file was asked for.</summary>
    public string? Tag { get; init; }
}
