namespace Dump.Model.Managed;

/// <summary>Tasks that have failed, and whose exception nobody has looked at.</summary>
/// <param name="Count">How many.</param>
/// <param name="Task">The async method or the operation (sanitised).</param>
/// <param name="Exception">Type of the exception, or null when unknown.</param>
/// <param name="Example">Address of one of the tasks, the lowest.</param>
public sealed record UnobservedFault(long Count, string Task, string? Exception, ulong Example);
