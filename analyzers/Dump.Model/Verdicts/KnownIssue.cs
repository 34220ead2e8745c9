namespace Dump.Model.Verdicts;

/// <summary>A note on a hang that others have met and explained.</summary>
/// <param name="Title">One phrase.</param>
/// <param name="Explanation">What happens and what helps, one or two sentences.</param>
/// <param name="Reference">Address of the public description, or null.</param>
public sealed record KnownIssue(string Title, string Explanation, string? Reference);
