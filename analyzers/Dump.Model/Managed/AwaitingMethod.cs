namespace Dump.Model.Managed;

/// <summary>An async method that waits, as its author wrote it.</summary>
/// <param name="Name">The method.</param>
/// <param name="Count">How many of its calls wait.</param>
public sealed record AwaitingMethod(string Name, int Count);
