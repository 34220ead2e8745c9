using Dump.Model.Facts;

namespace Dump.Clr.Objects;

/// <summary>What a question about managed objects was answered.</summary>
/// <typeparam name="T">Kind of answer.</typeparam>
/// <param name="Value">The answer, or null.</param>
/// <param name="Refusal">Why the question itself was wrong (no such object or thread), or null.</param>
/// <param name="Missing">What the dump or this machine lacks to answer, or null.</param>
public sealed record ObjectAnswer<T>(T? Value, string? Refusal, MissingData? Missing)
    where T : class;
