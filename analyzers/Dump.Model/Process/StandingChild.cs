namespace Dump.Model.Process;

/// <summary>A child of a living process, or one of its, that cannot go on by itself and stood still over the whole look.</summary>
/// <param name="Name">The child, for example <c>process 4711 (cat)</c>; its id is that of the system.</param>
/// <param name="Standstill">Why it cannot go on, as a clause, for example <c>is stopped by a signal</c>.</param>
/// <param name="IsConnected">
/// True when a pipe leads from one to the other, so that the parent may wait for what the child writes or reads, or the child runs the parent's program: a
/// server that hands its work to such workers does none while they stand.
/// </param>
public sealed record StandingChild(string Name, string Standstill, bool IsConnected);
