namespace Dump.Model.Merging;

/// <summary>A group of dumps in one line, as a store counts it without reading its records.</summary>
/// <param name="Bucket">Hash of its signature's class.</param>
/// <param name="DetectorId">Id of the verdict's detector; null without a verdict.</param>
/// <param name="Title">What the verdict is called; without a verdict the text of the signature, which names the functions.</param>
/// <param name="Dumps">How many dumps there are.</param>
/// <param name="FirstSeen">Earliest capture time (UTC), or null when none is known.</param>
/// <param name="LastSeen">Latest capture time (UTC), or null when none is known.</param>
public sealed record BucketLine(string Bucket, string? DetectorId, string Title, int Dumps, DateTime? FirstSeen, DateTime? LastSeen);
