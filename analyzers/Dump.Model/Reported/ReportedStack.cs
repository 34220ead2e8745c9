using System.Collections.Immutable;

namespace Dump.Model.Reported;

/// <summary>Frames of one thread.</summary>
/// <param name="ThreadId">The thread.</param>
/// <param name="Role">The thread's part as a clause (<c>holds the loader lock, spins</c>), or why it is shown; null when it is merely one of all.</param>
/// <param name="Frames">Innermost first; where only those that matter are given, their indexes have gaps.</param>
public sealed record ReportedStack(uint ThreadId, string? Role, ImmutableArray<ReportedFrame> Frames);
