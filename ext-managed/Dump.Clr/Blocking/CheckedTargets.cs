using Dump.Clr.Waits;

namespace Dump.Clr.Blocking;

/// <summary>The targets of a wait after a look at the runtime's own records.</summary>
/// <param name="Targets">The targets, proven where a record agrees, suspected where one contradicts.</param>
/// <param name="Milliseconds">The time limit by the records, -1 for none, or null when they have no record of the thread or differ.</param>
/// <param name="Contradict">True when frames and records name different objects.</param>
internal sealed record CheckedTargets(IReadOnlyList<WaitTarget> Targets, int? Milliseconds, bool Contradict);
